// Where a search takes the candidates that it finds, and whether it is to go on.
#pragma once

#include <algorithm>

#include "common/numbers.hpp"
#include "exact/incumbent.hpp"

namespace elc {

class StopSignal {
public:
    virtual ~StopSignal() = default;
    virtual bool stop() = 0;      // asked once a box; looks at the clock now and then
    virtual bool stop_now() = 0;  // looks at the clock
};

class Sink {
public:
    virtual ~Sink() = default;
    virtual bool accepts(double loss) = 0;           // whether a candidate of this loss would be taken
    virtual double ceiling() = 0;                    // no larger loss would be
    virtual void take(const FoundSplit& found) = 0;  // a candidate that was accepted
    virtual bool stop() = 0;                         // asked in long enumerations
    virtual bool needs_all() const { return true; }  // that are accepted; otherwise a few tries will do
};

// For boxes in which no candidate is met.
class NoSink final : public Sink {
public:
    bool accepts(double) override { return false; }
    double ceiling() override { return -kInfinity; }
    void take(const FoundSplit&) override {}
    bool stop() override { return false; }
};

// Keeps the best candidate of one dive. Those that do not beat `must_beat` only tell how good the feature set is: they
// are taken, but not looked for.
class DiveSink final : public Sink {
public:
    DiveSink(FoundSplit& best, double must_beat, StopSignal& signal)
        : best_(best), must_beat_(must_beat), signal_(signal) {}

    bool accepts(double loss) override { return loss < best_.loss; }
    double ceiling() override { return std::min(best_.loss, must_beat_); }
    void take(const FoundSplit& found) override { best_ = found; }
    bool stop() override { return signal_.stop_now(); }
    bool needs_all() const override { return false; }

private:
    FoundSplit& best_;
    const double must_beat_;
    StopSignal& signal_;
};

// Offers candidates to the incumbent, with the visit at which they were found.
class IncumbentSink final : public Sink {
public:
    IncumbentSink(IncumbentView& incumbent, const Visit& visit, StopSignal& signal)
        : incumbent_(incumbent), visit_(visit), signal_(signal) {}

    bool accepts(double loss) override { return incumbent_.accepts(loss, visit_); }
    double ceiling() override { return incumbent_.shared().ceiling(); }
    void take(const FoundSplit& found) override {
        FoundSplit best = found;
        best.visit = visit_;
        if (incumbent_.shared().keeps_ties()) incumbent_.shared().offer_tie(best);
        else incumbent_.shared().offer(best);
    }
    bool stop() override { return signal_.stop_now(); }

private:
    IncumbentView& incumbent_;
    const Visit& visit_;
    StopSignal& signal_;
};

}  // namespace elc
