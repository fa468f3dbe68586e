// Which forms an edit script may rewrite. A script that makes "man" of "men" ([:-2]an) may be wrong for "yen", and one
// that makes "to" of "2" is wrong for "3".
//
// A script that keeps all letters may rewrite every form. Any other one may rewrite forms that look as those did for
// which training data have it. This is known from a list of texts for each script (scripts that differ in case alone
// share one). A text is a form in lower case, or the letters that the script replaces with two more beside them, and a
// star for the rest: "*ties" for [:-3]y. Texts with a star are there for scripts that many forms have. Other scripts
// may rewrite the very forms that training data have. So may any script, if the form has a digit.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "search/search.hpp"
#include "text/columns.hpp"
#include "text/edit_script.hpp"

namespace sapwood {

class ScriptGuard {
  public:
    // Learns the lists of the model's scripts: a line for each that does not keep all letters, in the order of labels,
    // with tabs between its texts. Nothing, if all would be empty.
    //
    // rows: the form in the first column, the script in the last one; labels: all scripts; known: the lists of a model
    // from which training goes on, which has the first of the labels
    static std::string learn(const Columns& rows, const std::vector<std::string>& labels, std::string_view known);

    // Without lists, only forms with digits are guarded.
    explicit ScriptGuard(std::vector<EditScript> scripts);
    // Throws ModelError if the lists are not as above.
    ScriptGuard(std::vector<EditScript> scripts, std::string_view lists);

    const std::vector<EditScript>& scripts() const { return scripts_; }

    // Whether a script may rewrite a form that it fits.
    bool allows(Label script, std::string_view form) const;

    // Whether a script may rewrite a form that no text of its list fits, because it was right for many different forms of
    // which it replaced the same letters.
    bool common(Label script, std::string_view form) const;

  private:
    static constexpr uint32_t kNone = UINT32_MAX;

    struct List {
        std::unordered_set<std::string> texts;
        std::unordered_set<std::string> replaced;  // by the script, of the texts that have a rest
    };

    std::vector<EditScript> scripts_;
    std::vector<uint32_t> list_of_;  // [scripts] number in lists_, kNone for scripts that keep all letters
    std::vector<List> lists_;
    bool learned_ = false;  // whether there are lists
};

}  // namespace sapwood
