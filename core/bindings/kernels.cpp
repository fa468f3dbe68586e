#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <type_traits>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/kernels.hpp"
#include "kernel/gram.hpp"
#include "kernel/polynomial_kernel.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "kernel/tree_kernel.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

struct AllPairsTrees {
    std::vector<AllPairsKernel::Item> trees;
};

// Reads one tree from each string. Throws DataError with "name: tree K".
template <class Tree>
std::vector<Tree> read_each(const std::vector<nb::bytes>& texts, const std::string& name, TreeTable& table) {
    const Interruptible work;
    std::vector<Tree> trees;
    trees.reserve(texts.size());
    for (size_t k = 0; k < texts.size(); ++k) {
        const std::string where = name + ": tree " + std::to_string(k + 1);
        const PhraseTree tree = read_one_tree(view(texts[k]), where, table.symbols);
        if (tree.nodes.empty()) throw DataError(where + ": it is empty");
        trees.emplace_back(tree, table.productions);
    }
    return trees;
}

// The Gram matrix of a and b, or of a and itself if b is null.
template <class Kernel, class Items>
auto matrix(const Kernel& kernel, const Items& a, const std::type_identity_t<Items>* b, bool normalise,
            size_t threads) {
    const Items& columns = b == nullptr ? a : *b;
    std::vector<double> cells;
    {
        const Interruptible work;
        cells = gram(kernel, a, columns, normalise, threads);
    }
    return to_array(std::move(cells), a.size(), columns.size());
}

}  // namespace

void bind_kernels(nb::module_& m) {
    nb::class_<TreeTable>(m, "TreeTable", "The numbering of labels, words and productions that compared trees share.")
        .def(nb::init<>())
        .def(nb::init<const TreeTable&>(), nb::arg("table"), "A copy, to which further trees can be added.");

    nb::class_<KernelTrees>(m, "KernelTrees", "Phrase-structure trees, prepared for the tree kernel.")
        .def(
            "__init__",
            [](KernelTrees* self, const std::vector<nb::bytes>& texts, const std::string& name, TreeTable& table) {
                new (self) KernelTrees{read_each<KernelTree>(texts, name, table)};
            },
            nb::arg("texts"), nb::arg("name"), nb::arg("table"),
            "Read one tree from each bracketed string. Raises DataError with name and index.")
        .def("__len__", [](const KernelTrees& each) { return each.trees.size(); });

    m.def(
        "tree_gram",
        [](const KernelTrees& a, const KernelTrees* b, double decay, bool normalise, size_t threads) {
            return matrix(TreeKernel(decay), a.trees, b == nullptr ? nullptr : &b->trees, normalise, threads);
        },
        nb::arg("a"), nb::arg("b").none(), nb::arg("decay"), nb::arg("normalise"), nb::arg("threads"),
        nb::sig("def tree_gram(a: KernelTrees, b: KernelTrees | None, decay: float, normalise: bool, threads: "
                "int) -> typing.Any"),
        "The tree kernels [a, b], an array of float64. Raises DataError.");
    nb::class_<AllPairsTrees>(m, "AllPairsTrees", "The same trees for all_pairs_gram.")
        .def(
            "__init__",
            [](AllPairsTrees* self, const std::vector<nb::bytes>& texts, const std::string& name, TreeTable& table) {
                new (self) AllPairsTrees{read_each<AllPairsKernel::Item>(texts, name, table)};
            },
            nb::arg("texts"), nb::arg("name"), nb::arg("table"), "See KernelTrees.");
    m.def(
        "all_pairs_gram",
        [](const AllPairsTrees& a, double decay) { return matrix(AllPairsKernel(decay), a.trees, nullptr, false, 1); },
        nb::arg("a"), nb::arg("decay"), nb::sig("def all_pairs_gram(a: AllPairsTrees, decay: float) -> typing.Any"),
        "The tree kernels [a, a], not normalised, by Collins & Duffy's algorithm over all pairs of nodes. Tests and "
        "benchmarks compare tree_gram with it.");

    m.def(
        "subsequence_gram",
        [](const std::vector<nb::bytes>& a, const std::optional<std::vector<nb::bytes>>& b, size_t length, double decay,
           bool normalise, size_t threads) {
            const auto first = sequences_of(a);
            const auto second = b ? std::optional(sequences_of(*b)) : std::nullopt;
            return matrix(SubsequenceKernel(length, decay), first, second ? &*second : nullptr, normalise, threads);
        },
        nb::arg("a"), nb::arg("b").none(), nb::arg("length"), nb::arg("decay"), nb::arg("normalise"),
        nb::arg("threads"),
        nb::sig("def subsequence_gram(a: list[bytes], b: list[bytes] | None, length: int, decay: float, "
                "normalise: bool, threads: int) -> typing.Any"),
        "The subsequence kernels [a, b] of arrays of 32-bit symbols; a length of 0: of every length. Raises "
        "DataError.");

    m.def(
        "polynomial_gram",
        [](const FeatureRows& a, const FeatureRows* b, size_t degree, double coef0, size_t threads) {
            const SortedRows first(a);
            const auto second = b == nullptr ? std::nullopt : std::optional<SortedRows>(*b);
            return matrix(PolynomialKernel(degree, coef0), first, second ? &*second : nullptr, false, threads);
        },
        nb::arg("a"), nb::arg("b").none(), nb::arg("degree"), nb::arg("coef0"), nb::arg("threads"),
        nb::sig("def polynomial_gram(a: FeatureRows, b: FeatureRows | None, degree: int, coef0: float, threads: "
                "int) -> typing.Any"),
        "The polynomial kernels [a, b], an array of float64. Raises DataError.");
}

}  // namespace sapwood::bindings
