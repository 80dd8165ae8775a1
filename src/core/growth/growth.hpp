// Grows a whole tree: the loop of cart_elc/growing.py, without a limit on the time.
//
// A node's rows are a range of one array, which a split divides in place; so a node costs no memory of its own beyond
// what the tree keeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "growth/growth_options.hpp"
#include "growth/importances.hpp"
#include "growth/node_features.hpp"
#include "growth/node_split.hpp"
#include "growth/statistics.hpp"

namespace elc {

// A node under construction. Its split was accepted if `split` is not negative; it was opened if it has children.
struct Branch {
    int64_t begin = 0, middle = 0, end = 0;  // its rows; from `middle` on they go right
    int64_t depth = 0, split = -1, left = -1, right = -1;
    uint64_t seed = 0;
    double weight = 0, impurity = 0, decrease = 0;

    bool is_open() const { return left >= 0; }
};

class TreeGrowth {
public:
    // The rows of the table, with their weights, are those of the root; all weights are positive.
    TreeGrowth(const RowView& table, const GrowthOptions& options, const KeepSearching& keep_searching)
        : table_(table), options_(options), labels_(table.y, table.n_classes, table.numbers, options.impurity),
          rows_(table.rows, table.rows + table.n_rows), weights_(table.weights, table.weights + table.n_rows),
          features_(static_cast<int>(table.n_features), options.max_features),
          splitter_(table, labels_, options_, keep_searching), keep_searching_(keep_searching) {
        Branch root;
        root.end = table.n_rows;
        root.seed = options.seed;
        root.weight = weight_of(0, root.end);
        options_.search.min_weight = options.min_weight_fraction * root.weight;
        add(root);
    }
    TreeGrowth(const TreeGrowth&) = delete;
    TreeGrowth& operator=(const TreeGrowth&) = delete;

    // False if the caller ended it.
    bool grow() {
        int64_t n_leaves = 1;
        search(0);
        push(0);
        while (!queue_.empty() && n_leaves < options_.max_leaves && is_wanted()) {
            const int64_t branch = queue_.top().branch;
            queue_.pop();
            open(branch);
            ++n_leaves;
            push(branches_[branch].right);
            push(branches_[branch].left);
        }
        return !splitter_.interrupted;
    }

    int width() const { return labels_.width(); }
    const Branch& branch(int64_t i) const { return branches_[i]; }
    const double* value(int64_t i) const { return values_.data() + i * width(); }
    const PlacedSplit& split(int64_t i) const { return splits_[branches_[i].split]; }

    // The nodes from the root on, every left subtree before its right one.
    std::vector<int64_t> preorder() const {
        std::vector<int64_t> order, pending{0};
        order.reserve(branches_.size());
        while (!pending.empty()) {
            const int64_t i = pending.back();
            pending.pop_back();
            order.push_back(i);
            if (!branches_[i].is_open()) continue;
            pending.push_back(branches_[i].right);
            pending.push_back(branches_[i].left);
        }
        return order;
    }

    // Each feature's share in the impurity decrease of all splits.
    std::vector<double> importances() const {
        Importances importances(table_, rows_, weights_);
        for (const Branch& branch : branches_)
            if (branch.is_open() && branch.decrease > 0)
                importances.add(branch.begin, branch.end, splits_[branch.split].view(), branch.decrease);
        return importances.shares();
    }

private:
    // Whether the caller still wants the tree: searches of small nodes are too short to ask.
    bool is_wanted() {
        splitter_.interrupted = splitter_.interrupted || !keep_searching_(Progress{});
        return !splitter_.interrupted;
    }

    // Waiting nodes: by their decrease, then the earliest, or the latest first.
    struct Waiting {
        double decrease;
        int64_t turn, branch;
        bool operator<(const Waiting& other) const {
            return decrease != other.decrease ? decrease < other.decrease : turn < other.turn;
        }
    };

    void push(int64_t i) {
        if (branches_[i].split < 0) return;
        const int64_t turn = n_pushed_++;
        if (options_.best_first()) queue_.push({branches_[i].decrease, -turn, i});
        else queue_.push({0.0, turn, i});
    }

    double weight_of(int64_t begin, int64_t end) const {
        return pairwise_sum([&](int64_t i) { return weights_[i]; }, begin, end - begin);
    }

    int64_t add(Branch branch) {
        const int64_t i = static_cast<int64_t>(branches_.size());
        values_.resize(values_.size() + width());
        double* value = values_.data() + i * width();
        labels_.measure(rows_.data() + branch.begin, weights_.data() + branch.begin, branch.end - branch.begin, value);
        branch.impurity = labels_.impurity(value);
        branches_.push_back(branch);
        return i;
    }

    void open(int64_t i) {
        for (int turn = 0; turn < 2; ++turn) {
            const Branch parent = branches_[i];
            Branch child;
            child.begin = turn == 0 ? parent.begin : parent.middle;
            child.end = turn == 0 ? parent.middle : parent.end;
            child.depth = parent.depth + 1;
            child.seed = child_seed(parent.seed, turn);
            child.weight = weight_of(child.begin, child.end);
            const int64_t added = add(child);
            (turn == 0 ? branches_[i].left : branches_[i].right) = added;
            search(added);
        }
    }

    double least_weight() const { return options_.search.min_weight * (1 - 1e-12); }

    bool is_searched(const Branch& branch, const double* value) const {
        const int64_t n = branch.end - branch.begin;
        const int64_t least = std::max(options_.min_rows_split, 2 * static_cast<int64_t>(options_.search.min_rows));
        return !labels_.is_pure(value) && branch.depth < options_.max_depth && n >= least &&
               !(branch.weight < 2 * least_weight());
    }

    void search(int64_t i) {
        if (!is_searched(branches_[i], value(i))) return;
        const Branch& branch = branches_[i];
        const NodeRows node{rows_.data() + branch.begin, weights_.data() + branch.begin, branch.end - branch.begin,
                            value(i), branch.weight};
        features_.begin(branch.seed);
        while (features_.draw(drawn_)) {
            splitter_.find(node, drawn_, found_);
            if (found_.found() || splitter_.interrupted) break;
        }
        if (found_.found()) accept(i);
    }

    // Keeps the split if both sides are within the limits and it decreases the impurity enough.
    void accept(int64_t i) {
        Branch& branch = branches_[i];
        branch.middle = branch.begin + divide(branch);
        if (!is_admitted(branch.begin, branch.middle) || !is_admitted(branch.middle, branch.end)) return;
        const double after = risk(branch.begin, branch.middle) + risk(branch.middle, branch.end);
        branch.decrease = (branch.weight * branch.impurity - after) / branches_[0].weight;
        const double least = options_.min_impurity_decrease;
        if (!(std::max(branch.decrease, 0.0) + std::numeric_limits<double>::epsilon() >= least)) return;
        branch.split = static_cast<int64_t>(splits_.size());
        splits_.push_back(found_);
    }

    // Puts the rows that go left before the others; both keep their order.
    int64_t divide(const Branch& branch) {
        const std::vector<char>& left = splitter_.left();
        const int64_t n = branch.end - branch.begin;
        int64_t *rows = rows_.data() + branch.begin, n_left = 0;
        double* weights = weights_.data() + branch.begin;
        right_.clear();
        for (int64_t q = 0; q < n; ++q) {
            if (!left[q]) {
                right_.push_back({rows[q], weights[q]});
                continue;
            }
            rows[n_left] = rows[q];
            weights[n_left++] = weights[q];
        }
        for (size_t q = 0; q < right_.size(); ++q) {
            rows[n_left + q] = right_[q].first;
            weights[n_left + q] = right_[q].second;
        }
        return n_left;
    }

    bool is_admitted(int64_t begin, int64_t end) const {
        return end - begin >= std::max<int64_t>(1, static_cast<int64_t>(options_.search.min_rows)) &&
               weight_of(begin, end) >= least_weight();
    }

    double risk(int64_t begin, int64_t end) {
        side_value_.resize(width());
        labels_.measure(rows_.data() + begin, weights_.data() + begin, end - begin, side_value_.data());
        return weight_of(begin, end) * labels_.impurity(side_value_.data());
    }

    const RowView table_;
    GrowthOptions options_;
    LabelStatistics labels_;
    std::vector<int64_t> rows_;
    std::vector<double> weights_;
    NodeFeatures features_;
    NodeSplitter splitter_;
    const KeepSearching& keep_searching_;
    std::vector<Branch> branches_;
    std::vector<double> values_, side_value_;  // statistics, one branch after the other
    std::vector<PlacedSplit> splits_;
    std::priority_queue<Waiting> queue_;
    std::vector<std::pair<int64_t, double>> right_;
    std::vector<int32_t> drawn_;
    PlacedSplit found_;
    int64_t n_pushed_ = 0;
};

}  // namespace elc
