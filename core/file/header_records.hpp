// Records in the header of a model file, checked by their forms: src/sapwood/model/file/schema.py describes them.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "file/model_file.hpp"

namespace sapwood::file {

// The place of a member of the header, as messages have it.
std::string where_in_header(const char* key);
// Throws ModelError, unless a member is of this form.
void require_form(bool fits, const char* key, const std::string& form);

// A member of an object, and the form of its value.
struct Member {
    std::string_view name;
    bool (Json::*form)() const;
    bool optional = false;
};
// Whether a value is an object with these members and no others.
bool has_form(const Json& value, std::initializer_list<Member> members);
std::vector<std::string> strings_of(const Json& list);
std::vector<double> numbers_of(const Json& list);

// Throw ModelError for JSON of another form; `names` are the columns of the training data.
CalibrationRecord calibration_in(const Json& calibration);
std::vector<FrequentShares> familiarity_in(const Json& shares, const std::vector<std::string>& names);

}  // namespace sapwood::file
