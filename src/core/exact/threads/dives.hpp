// What the greedy dives found: a first split, and the order in which the feature sets are searched.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/known_path.hpp"
#include "exact/incumbent.hpp"
#include "exact/node/exact_node.hpp"
#include "exact/points/points.hpp"

namespace elc {

class Dives {
public:
    static constexpr int64_t kInFull = 4;  // so many are made in full where the others have estimates only

    using Subset = std::shared_ptr<const SubsetPoints>;

    // `n_best` of what they find are kept.
    Dives(const ExactNode& node, int64_t n_sets, int64_t n_best)
        : n_sets_(n_sets), keeps_points_(are_small(node, n_sets)), dives_(n_sets <= kMostDives ? n_sets : kFewDives),
          best_losses_(n_best + 1, kInfinity) {
        for (size_t position = 0; position < dives_.size(); ++position)
            dives_[position].number = static_cast<int64_t>(position);
    }

    // The position of the next feature set to dive in; false when there is none. Until they are put in order, sets are
    // at the positions of their numbers.
    bool next(int64_t& position) {
        position = next_++;
        return position < last_;
    }

    // Whether there is to be a dive in every set.
    bool are_complete() const { return static_cast<int64_t>(dives_.size()) == n_sets_; }

    // Begins again with the n sets that come first in the order.
    void begin_again_with(int64_t n) {
        n_begun_before_ = std::max(n_begun_before_, last_);
        next_ = 0;
        last_ = std::min(last_, n);
    }

    void keep_points(int64_t position, const Subset& subset) {
        if (keeps_points_) dives_[position].subset = subset;
    }

    // Where a dive notes what it sees, by chart; null where that is not kept.
    std::vector<KnownPath>* paths_at(int64_t position) { return keeps_points_ ? &dives_[position].paths : nullptr; }

    // About the loss that a dive would find.
    void note_estimate(int64_t position, double loss) { dives_[position].loss = loss; }

    void note(int64_t position, const FoundSplit& found) {
        if (found.loss == kInfinity) return;
        dives_[position].loss = std::min(found.loss, dives_[position].loss);
        const int64_t number = dives_[position].number;
        std::lock_guard<std::mutex> lock(mutex_);
        // The best ones are kept, and those that may tie with the best.
        if (found.loss <= std::max(best_losses_.back(), best_loss_ + kTie))
            dives_[position].found = std::make_unique<FoundSplit>(found);
        if (found.loss < best_losses_.back()) {
            best_losses_.pop_back();
            best_losses_.insert(std::upper_bound(best_losses_.begin(), best_losses_.end(), found.loss), found.loss);
        }
        if (found.loss < best_.loss || (found.loss == best_.loss && number < best_number_)) {
            best_ = found;
            best_number_ = number;
            best_loss_ = found.loss;
        }
    }

    // No split of the set has a smaller loss.
    void note_bound(int64_t position, double bound) { dives_[position].bound = bound; }

    int64_t n_begun() const { return n_begun_before_ > 0 ? n_begun_before_ : std::min<int64_t>(next_, last_); }
    double best_loss() const { return best_loss_; }
    const FoundSplit& best() const { return best_; }
    int64_t best_number() const { return best_number_; }

    // Puts the sets in the order of what was found in them, if there was a dive in each.
    void put_in_order() {
        if (!are_complete()) return dives_.clear();
        std::stable_sort(dives_.begin(), dives_.end(), [](const Dive& a, const Dive& b) { return a.loss < b.loss; });
    }

    // Leaves the sets in the order of their numbers.
    void skip() { dives_.clear(); }

    // The bounds of all sets in their order, if there was a dive in each.
    std::vector<double> bounds() const {
        std::vector<double> bounds;
        for (const Dive& dive : dives_) bounds.push_back(dive.bound);
        return bounds;
    }

    // The set at a position of the order, and its points if they were kept.
    int64_t number_at(int64_t position) const { return dives_.empty() ? position : dives_[position].number; }
    const FoundSplit* found_at(int64_t position) const {
        return position < static_cast<int64_t>(dives_.size()) ? dives_[position].found.get() : nullptr;
    }
    Subset points_at(int64_t position) const { return dives_[position].subset; }
    Subset take_points(int64_t position) { return dives_.empty() ? nullptr : std::move(dives_[position].subset); }
    std::vector<KnownPath> take_paths(int64_t position) {
        return dives_.empty() ? std::vector<KnownPath>() : std::move(dives_[position].paths);
    }

private:
    static constexpr int64_t kMostDives = 1 << 20;
    static constexpr int64_t kFewDives = 1 << 10;  // where there are more sets than that, to have some split at all
    static constexpr int64_t kMostKept = 1 << 23;  // doubles, 64 MiB

    struct Dive {
        int64_t number = 0;
        double loss = kInfinity, bound = -kInfinity;
        Subset subset;
        std::vector<KnownPath> paths;  // by chart
        std::unique_ptr<FoundSplit> found;
    };

    // Whether the points of all feature sets together, and what is seen on the way down, are small enough to be kept.
    static bool are_small(const ExactNode& node, int64_t n_sets) {
        const double arrays = node.options.r + node.k + 2, halves = 2.0 * KnownPath::kMostLevels * node.options.r;
        return static_cast<double>(n_sets) * (arrays * (node.n + 64) + halves * (node.width + 2)) <= kMostKept;
    }

    const int64_t n_sets_;
    const bool keeps_points_;
    std::vector<Dive> dives_;
    int64_t last_ = static_cast<int64_t>(dives_.size());
    int64_t n_begun_before_ = 0;
    std::atomic<int64_t> next_{0};
    std::mutex mutex_;
    FoundSplit best_;
    int64_t best_number_ = INT64_MAX;
    std::vector<double> best_losses_;  // of those to be kept
    std::atomic<double> best_loss_{kInfinity};
};

}  // namespace elc
