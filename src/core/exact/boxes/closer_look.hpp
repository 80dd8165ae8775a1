// Whether a closer look at boxes is worth its time: where it seldom tells anything, it is taken now and then only.
#pragma once

namespace elc {

class CloserLook {
public:
    // Worth while if it tells once in `most` times.
    explicit CloserLook(int most) : most_(most) {}

    // Whether to look; what is seen is to be noted.
    bool is_worth_while() {
        return n_looks_ < kLearned / 4 || most_ * n_told_ >= n_looks_ || ++n_left_out_ % kSeldom == 0;
    }

    // Returns what it was told.
    bool note(bool has_told) {
        if (n_looks_ == kLearned) n_looks_ /= 2, n_told_ /= 2;
        ++n_looks_;
        n_told_ += has_told;
        return has_told;
    }

private:
    static constexpr int kLearned = 256, kSeldom = 16;

    int most_;
    int n_looks_ = 0, n_told_ = 0, n_left_out_ = 0;
};

}  // namespace elc
