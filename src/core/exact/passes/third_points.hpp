// Of three features: the points whose plane with two others is certainly outside of a box, or that fix none with them.
//
// The normal is the cross product of two edges, and so is known to a few roundings of its terms. What the box compares
// with its centre and its half-widths is linear in the normal, so nothing is divided.
#pragma once

#include <cmath>

#include "exact/passes/lanes.hpp"
#include "exact/passes/passes.hpp"

namespace elc {
namespace {

uint64_t third_points_outside(const PlanesOfBox& box, int i, int j, int first, int last) {
    using V = Vector<double>;
    using Lanes = LanesOf<double>;
    constexpr double kRound = 0x1p-49;  // the rounding of a few operations
    double edge[3], step[3][3], step_size[3][3];
    for (int q = 0; q < 3; ++q) {
        edge[q] = box.x[q][j] - box.x[q][i];
        for (int k = 0; k < 3; ++k) {
            step[k][q] = box.step[k][q] - (box.is_from_point[k] ? box.x[q][i] : 0.0);
            step_size[k][q] = std::abs(step[k][q]);
        }
    }
    const double length = edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2];
    uint64_t outside = 0;
    for (int at = first / 8 * 8; at <= last; at += 8) {
        V other[3], normal[3], error[3], sides = V{} + length, area = V{};
        for (int q = 0; q < 3; ++q) {
            other[q] = load(box.x[q] + at) - box.x[q][i];
            const V third = other[q] - edge[q];
            sides += other[q] * other[q] + third * third;
        }
        for (int q = 0; q < 3; ++q) {
            const int a = (q + 1) % 3, b = (q + 2) % 3;
            const V one = edge[a] * other[b], two = edge[b] * other[a];
            normal[q] = one - two;
            error[q] = kRound * (absolute<double>(one) + absolute<double>(two));
            area += normal[q] * normal[q];
        }
        const V scale = normal[box.chart], scale_error = error[box.chart];
        const V scale_size = absolute<double>(scale) + scale_error;
        // The smaller squared singular value is at most `dependent` if the product of both is at most this times what
        // it leaves of their sum; a thousandth is for rounding.
        outside |= Lanes::bits(Lanes::greater(0.999 * box.dependent * (sides - 3 * box.dependent), area)) << at;
        for (int k = 0; k < 3; ++k) {
            const V size = absolute<double>(normal[k]) - error[k];
            outside |= Lanes::bits(Lanes::greater(size, box.most_tilt * scale_size)) << at;
            V value = (-box.centre[k]) * scale,
              most = box.reach[k] * scale_size + std::abs(box.centre[k]) * scale_error;
            for (int q = 0; q < 3; ++q) {
                value += step[k][q] * normal[q];
                most += step_size[k][q] * error[q];
            }
            outside |= Lanes::bits(Lanes::greater(absolute<double>(value), most)) << at;
        }
    }
    return outside;
}

}  // namespace
}  // namespace elc
