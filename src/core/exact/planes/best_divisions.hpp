// Of the divisions of some points, the best that a search would take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/numbers.hpp"
#include "exact/boxes/sink.hpp"
#include "exact/planes/side_scoring.hpp"

namespace elc {

class BestDivisions final : public Sink {
public:
    struct Division {
        SideChoice choice;
        std::vector<char> above;
    };

    explicit BestDivisions(Sink& search) : search_(search) {}

    const std::vector<Division>& all() const { return all_; }

    void drop_all() {
        best_ = kInfinity;
        all_.clear();
    }

    void keep(const SideChoice& choice, const std::vector<char>& above) {
        if (choice.loss < best_ - kTie) all_.clear(), has_left_out_ = false;
        best_ = std::min(best_, choice.loss);
        if (all_.size() * above.size() < kMostPlaces) all_.push_back({choice, above});
        else has_left_out_ = true;
    }

    // Whether there were too many equally good divisions to keep them all.
    bool has_left_out() const { return has_left_out_; }

    bool accepts(double loss) override { return loss <= best_ + kTie && search_.accepts(loss); }
    double ceiling() override { return std::min(best_ + kTie, search_.ceiling()); }
    void take(const FoundSplit&) override {}
    bool stop() override { return search_.stop(); }

private:
    static constexpr size_t kMostPlaces = 1 << 22;  // in all divisions

    Sink& search_;
    double best_ = kInfinity;
    bool has_left_out_ = false;
    std::vector<Division> all_;
};

}  // namespace elc
