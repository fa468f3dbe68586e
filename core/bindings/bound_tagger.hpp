// A tagger as Python has it: with the names of its labels, and its template's lines that the search can use.
#pragma once
#include <nanobind/nanobind.h>

#include <new>
#include <vector>

#include "bindings/convert.hpp"
#include "tagging/tagger_answers.hpp"
#include "tagging/tagger_explainer.hpp"

namespace sapwood::bindings {

namespace nb = nanobind;

using Lists = std::vector<WordList>;

// With the template's lines that the search can use.
inline Extractor extractor(const SequenceSpec& spec, const Template& pattern, const Lists& lists,
                           const WordTables& word_tables) {
    return Extractor(pattern, lists, spec.reach(), spec.ahead(), word_tables);
}

class BoundTagger {
  public:
    BoundTagger(const SequenceSpec& spec, bool iobes, const Template& pattern, const Lists& lists,
                const TagDictionary& dictionary, const std::vector<PackedTable>& tables, unsigned bits, double scale,
                const WordTables& word_tables)
        : tagger_(spec, extractor(spec, pattern, lists, word_tables), dictionary, tables, bits, scale),
          answers_(spec, iobes),
          explainer_(tagger_, answers_.shown()) {}
    BoundTagger(const BoundTagger&) = delete;  // the explainer points to the tagger

    nb::list predict(const Columns& data, size_t threads) const {
        const std::vector<Label> guess = tag(data, threads);
        const std::vector<nb::object> names = python_labels();
        return by_sentence(data, [&](size_t t) { return names[guess[t]]; });
    }

    nb::bytes annotate(const Columns& data, size_t threads) const {
        const std::vector<Label> guess = tag(data, threads);
        const auto size = static_cast<Py_ssize_t>(answers_.annotated_size(data, guess));
        auto out = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, size));
        if (!out.is_valid()) throw std::bad_alloc();
        char* to = PyBytes_AsString(out.ptr());
        const Interruptible work;
        answers_.annotate(data, guess, to);
        return out;
    }

    nb::list n_best(const Columns& data, size_t count) const {
        const std::vector<nb::object> names = python_labels();
        nb::list sentences;
        for (size_t s = 0; s < data.sentences(); ++s) {
            std::vector<Tagger::Ranked> ranked;
            {
                const Interruptible work;
                ranked = answers_.n_best(tagger_, data, s, count);
            }
            nb::list best;
            for (const Tagger::Ranked& r : ranked) {
                nb::list labels;
                for (Label y : r.labels) labels.append(names[y]);
                best.append(nb::make_tuple(labels, r.score));
            }
            sentences.append(best);
        }
        return sentences;
    }

    // How far each label is ahead of the best other one, by sentence.
    nb::list margins(const Columns& data, size_t threads) const {
        std::vector<double> found;
        {
            const Interruptible work;
            found = explainer_.margins(data, threads);
        }
        return by_sentence(data, [&](size_t t) { return nb::float_(found[t]); });
    }

    // How far each label of each token is behind the one that is given, by sentence.
    nb::list gaps(const Columns& data, size_t threads) const {
        std::vector<double> found;
        {
            const Interruptible work;
            found = explainer_.gaps(data, threads);
        }
        const size_t L = labels().size();
        return by_sentence(data, [&](size_t t) {
            nb::list of_labels;
            for (size_t y = 0; y < L; ++y) of_labels.append(found[t * L + y]);
            return of_labels;
        });
    }

    // A line of JSON for each token that is asked about in the sentences begin..end - 1.
    nb::bytes explain(const Columns& data, const Question& question, size_t begin, size_t end, size_t threads) const {
        return to_bytes(interruptible([&] { return explainer_.explain(data, question, begin, end, threads); }));
    }

    // (table, row, outputs, weight) of every weight; outputs are label numbers, L the boundary.
    nb::list weights() const {
        nb::list all;
        const size_t L = labels().size(), stride = tagger_.spec().stride();
        for (const Weight& w : tagger_.model().weights()) {
            nb::object outputs;
            if (w.table == 0)
                outputs = nb::make_tuple(w.output);
            else if (const size_t h = w.output / stride, y = w.output % stride; w.table == 1)
                outputs = nb::make_tuple(h, y);
            else
                outputs = nb::make_tuple(h / (L + 1), h % (L + 1), y);
            all.append(nb::make_tuple(w.table, w.feature, outputs, w.weight));
        }
        return all;
    }

    const Tagger& tagger() const { return tagger_; }
    const TaggerAnswers& answers() const { return answers_; }
    const TaggerExplainer& explainer() const { return explainer_; }
    const FrozenModel& model() const { return tagger_.model(); }
    const std::vector<std::string>& labels() const { return answers_.labels(); }

  private:
    std::vector<Label> tag(const Columns& data, size_t threads) const {
        const Interruptible work;
        return tagger_.tag(data, threads);
    }

    std::vector<nb::object> python_labels() const {
        std::vector<nb::object> names;
        for (const std::string& label : labels()) names.push_back(to_str(label));
        return names;
    }

    Tagger tagger_;
    TaggerAnswers answers_;
    TaggerExplainer explainer_;
};

}  // namespace sapwood::bindings
