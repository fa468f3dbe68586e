// Candidates as a kernel compares them, whichever kernel it is; what the dual form of a learner stands on. K is
// normalised if that is asked for: K(x, y) / sqrt(K(x, x) K(y, y)), 0 where that is 0 / 0. K(x, x) is computed once in any
// case, for no K(x, y) is larger than the largest K(x, x): one that is too large is found before training. Without
// normalising it is a float at most, so that sums of many are still numbers, and rows of the matrix are kept as floats.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "features/feature_rows.hpp"
#include "kernel/gram.hpp"
#include "kernel/polynomial_kernel.hpp"
#include "kernel/row_index.hpp"
#include "kernel/sequence_batches.hpp"
#include "kernel/subsequence_kernel.hpp"
#include "kernel/tree_kernel.hpp"
#include "kernel/tree_sum.hpp"

namespace sapwood {

class KernelItems;

// K(x, .) for one x after another. Scratch of one thread.
class KernelRow {
  public:
    virtual ~KernelRow() = default;
    // values[k] = K(item, item begin + k of others). Throws DataError if one is too large for a number, or if the others
    // are items of another kernel.
    virtual void compute(size_t item, const KernelItems& others, size_t begin, size_t end, double* values) = 0;
};

// sum_j alpha_j K(x_j, .), where it is cheaper than term by term.
class KernelSum {
  public:
    virtual ~KernelSum() = default;
    virtual void add(size_t item, double alpha) = 0;
    // Writes the scores [end - begin] of these items. Several threads may do so at the same time.
    virtual void score(const KernelItems& items, size_t begin, size_t end, double* scores) const = 0;
};

// Computes a row K(x, .) of the kernel matrix, where x is one of the items, in strips of items. There is one for kernels
// that compare x with many items in less time than one by one.
class KernelIndex {
  public:
    virtual ~KernelIndex() = default;
    virtual size_t strips() const = 0;
    // Writes the kernel with the items of a strip into values [n items]. Several threads may do so at the same time.
    virtual void compute(size_t item, size_t strip, double* values) const = 0;
};

class KernelItems {
  public:
    virtual ~KernelItems() = default;
    virtual size_t size() const = 0;
    virtual size_t bytes() const = 0;
    virtual bool all_zero() const = 0;       // whether K(x, x) = 0 for all of them: there is nothing to compare
    virtual std::string advice() const = 0;  // what makes the kernel's values smaller
    virtual std::unique_ptr<KernelRow> row() const = 0;
    // One of them: a sum if the kernel has one, else an index. The items have to outlive it.
    virtual std::unique_ptr<KernelSum> sum() const { return nullptr; }
    virtual std::unique_ptr<KernelIndex> index() const { return nullptr; }
    virtual size_t learner_bytes() const = 0;  // at most, of an index, or of sums of all items in training and scoring
};

inline size_t bytes_of(const SubsequenceKernel::Item& item) {
    return sizeof item + item.capacity() * sizeof(uint32_t);
}
inline size_t bytes_of(const SortedRows::Row& row) {
    return sizeof(size_t) + row.keys.size() * (sizeof(uint64_t) + sizeof(double));
}
inline size_t bytes_of(const KernelTree& tree) {
    return sizeof tree + (tree.tags.capacity() + tree.productions.capacity()) * sizeof(uint32_t) +
           tree.nodes.capacity() * sizeof(KernelTree::Node) + tree.children.capacity() * sizeof(KernelTree::Child) +
           tree.groups.capacity() * sizeof(KernelTree::Group);
}

template <class Kernel, class Items>
class ItemsOf : public KernelItems {
  public:
    ItemsOf(Kernel kernel, Items items, bool normalise)
        : kernel_(kernel),
          items_(std::move(items)),
          norms_(kernel_norms(kernel_, items_, 1)),
          all_zero_(std::ranges::all_of(norms_, [](double norm) { return norm == 0; })) {
        if (normalise) return;
        const auto most = std::ranges::max_element(norms_);
        if (most != norms_.end() && *most * *most > static_cast<double>(std::numeric_limits<float>::max())) {
            const std::string number = std::to_string(most - norms_.begin() + 1);
            throw DataError("the kernel of examples " + number + " and " + number +
                            " is larger than 3.4e38, the most that is added up without normalising; " + advice());
        }
        norms_.clear();
    }

    size_t size() const override { return items_.size(); }
    size_t bytes() const override {
        size_t total = norms_.size() * sizeof(double);
        for (size_t k = 0; k < items_.size(); ++k) total += bytes_of(items_[k]);
        return total;
    }
    bool all_zero() const override { return all_zero_; }
    std::string advice() const override { return kernel_.advice(); }
    std::unique_ptr<KernelRow> row() const override { return std::make_unique<Row>(*this); }

    const Kernel& kernel() const { return kernel_; }
    const Items& items() const { return items_; }

    // Divides K(a, b) by both norms, if it is to be normalised.
    double normalised(double value, double a, double b) const {
        if (norms_.empty()) return value;
        return a == 0 || b == 0 ? 0 : value / a / b;
    }
    double norm(size_t item) const { return norms_.empty() ? 1 : norms_[item]; }

    // The same kernel's items. Throws DataError if they are another's.
    static const ItemsOf& of(const KernelItems& items) {
        const auto* same = dynamic_cast<const ItemsOf*>(&items);
        if (same == nullptr) throw DataError("the items are those of another kernel");
        return *same;
    }

  private:
    class Row : public KernelRow {
      public:
        explicit Row(const ItemsOf& owner) : owner_(owner), row_(owner.kernel_) {}

        void compute(size_t item, const KernelItems& others, size_t begin, size_t end, double* values) override {
            const ItemsOf& same = of(others);
            const auto& fixed = owner_.items_[item];
            row_.fix(fixed);
            for (size_t k = begin; k < end; ++k) {
                const double value = finite_kernel(owner_, row_(same.items_[k]), item, k);
                *values++ = owner_.normalised(value, owner_.norm(item), same.norm(k));
            }
        }

      private:
        const ItemsOf& owner_;
        typename Kernel::Row row_;
    };

    Kernel kernel_;
    Items items_;
    std::vector<double> norms_;  // [items] sqrt(K(x, x)), or empty if K is not normalised
    bool all_zero_;
};

class SequenceItems : public ItemsOf<SubsequenceKernel, std::vector<SubsequenceKernel::Item>> {
  public:
    using ItemsOf::ItemsOf;

    std::unique_ptr<KernelIndex> index() const override { return std::make_unique<Index>(*this); }
    size_t learner_bytes() const override { return 2 * SequenceBatches::kWidth * bytes(); }

  private:
    class Index : public KernelIndex {
      public:
        explicit Index(const SequenceItems& items) : items_(items), batches_(items.items()) {}

        size_t strips() const override { return (batches_.size() + kStrip - 1) / kStrip; }
        void compute(size_t item, size_t strip, double* values) const override {
            SequenceBatches::Workspace workspace;
            const size_t end = std::min((strip + 1) * kStrip, batches_.size());
            for (size_t batch = strip * kStrip; batch < end; ++batch) {
                const size_t first = batches_.begin(batch);
                batches_.compute(items_.kernel(), items_.items()[item], batch, workspace, values + first);
                for (size_t k = first; k < batches_.end(batch); ++k)
                    values[k] = items_.normalised(values[k], items_.norm(item), items_.norm(k));
            }
        }

      private:
        static constexpr size_t kStrip = 64;  // batches
        const SequenceItems& items_;
        SequenceBatches batches_;
    };
};

class RowItems : public ItemsOf<PolynomialKernel, SortedRows> {
  public:
    using ItemsOf::ItemsOf;

    std::unique_ptr<KernelIndex> index() const override { return std::make_unique<Index>(*this); }
    size_t learner_bytes() const override { return RowIndex::most_bytes(items().features()); }

  private:
    class Index : public KernelIndex {
      public:
        explicit Index(const RowItems& items) : items_(items), index_(items.items()) {}

        size_t strips() const override { return (items_.size() + kStrip - 1) / kStrip; }
        void compute(size_t item, size_t strip, double* values) const override {
            const size_t begin = strip * kStrip, end = std::min(begin + kStrip, items_.size());
            index_.dot(items_.items()[item], begin, end, values + begin);
            for (size_t k = begin; k < end; ++k)
                values[k] = items_.normalised(items_.kernel().of_product(values[k]), items_.norm(item), items_.norm(k));
        }

      private:
        static constexpr size_t kStrip = 8192;  // rows
        const RowItems& items_;
        RowIndex index_;
    };
};

class TreeItems : public ItemsOf<TreeKernel, std::vector<KernelTree>> {
  public:
    TreeItems(TreeKernel kernel, std::vector<KernelTree> trees, bool normalise)
        : ItemsOf(kernel, std::move(trees), normalise), normalise_(normalise) {}

    std::unique_ptr<KernelSum> sum() const override { return std::make_unique<Sum>(*this); }
    size_t learner_bytes() const override;

  private:
    class Sum : public KernelSum {
      public:
        explicit Sum(const TreeItems& items) : trees_(items.items()), sum_(items.kernel(), items.normalise_) {}

        void add(size_t item, double alpha) override { sum_.add(trees_[item], alpha); }
        void score(const KernelItems& items, size_t begin, size_t end, double* scores) const override {
            TreeSum::Workspace workspace(sum_);
            sum_.score(std::span(of(items).items()).subspan(begin, end - begin), workspace, scores);
        }

      private:
        const std::vector<KernelTree>& trees_;
        TreeSum sum_;
    };

    bool normalise_;
};

// A subtree of the sum: its production, place, start, slots of the hash table, weight and number in its group; and a child
// of it twice. Vectors that grow have up to twice what they hold.
inline size_t TreeItems::learner_bytes() const {
    constexpr size_t node = 2 * (4 * sizeof(uint32_t) + sizeof(size_t) + sizeof(double) + sizeof(uint32_t));
    constexpr size_t child = 2 * 2 * sizeof(uint32_t);
    size_t total = 0;
    for (const KernelTree& tree : items()) total += tree.nodes.size() * node + tree.children.size() * child;
    return 2 * total;
}

}  // namespace sapwood
