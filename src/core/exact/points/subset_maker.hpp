// Makes the points of feature sets for one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "exact/node/exact_node.hpp"
#include "exact/node/feature_sets.hpp"
#include "exact/points/coplanar_set.hpp"
#include "exact/points/point_maker.hpp"

namespace elc {

class SubsetMaker {
public:
    SubsetMaker(const ExactNode& node, const FeatureSets& sets) : node_(node), sets_(sets) {}

    std::shared_ptr<const SubsetPoints> make(int64_t number) {
        if (!spare_ || spare_.use_count() > 1) spare_ = std::make_shared<SubsetPoints>();
        std::atomic_thread_fence(std::memory_order_acquire);
        spare_->number = number;
        spare_->features = sets_.features(number);
        Points& points = spare_->points;
        maker_.make(node_, spare_->features, points);
        points.base.assign(node_.width, 0.0);
        spare_->coplanar = is_coplanar_set(node_, spare_->features, spare_->points);
        return spare_;
    }

private:
    const ExactNode& node_;
    const FeatureSets& sets_;
    PointMaker maker_;
    std::shared_ptr<SubsetPoints> spare_;  // its memory is used again when nobody else holds it
};

}  // namespace elc
