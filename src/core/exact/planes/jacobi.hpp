// One-sided Jacobi: singular values to full accuracy, however small they are.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace elc {
using Vectors = std::vector<std::vector<double>>;

inline double norm_of(const std::vector<double>& column) {
    double sum = 0;
    for (double v : column) sum += v * v;
    return std::sqrt(sum);
}

inline void rotate(std::vector<double>& u, std::vector<double>& v, double c, double s) {
    for (size_t i = 0; i < u.size(); ++i) {
        const double a = u[i], b = v[i];
        u[i] = c * a - s * b;
        v[i] = s * a + c * b;
    }
}

// Makes the columns orthogonal by rotations, applied to `basis` too where it is given; their norms then are the
// singular values.
inline void one_sided_jacobi(Vectors& columns, Vectors* basis = nullptr) {
    constexpr int kMostSweeps = 60;
    const size_t r = columns.size();
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        bool rotated = false;
        for (size_t p = 0; p < r; ++p) {
            for (size_t q = p + 1; q < r; ++q) {
                double alpha = 0, beta = 0, gamma = 0;
                for (size_t i = 0; i < columns[p].size(); ++i) {
                    alpha += columns[p][i] * columns[p][i];
                    beta += columns[q][i] * columns[q][i];
                    gamma += columns[p][i] * columns[q][i];
                }
                if (gamma == 0 || std::abs(gamma) <= 4e-16 * std::sqrt(alpha * beta)) continue;
                rotated = true;
                const double zeta = (beta - alpha) / (2 * gamma);
                const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
                const double c = 1 / std::sqrt(1 + t * t), s = c * t;
                rotate(columns[p], columns[q], c, s);
                if (basis) rotate((*basis)[p], (*basis)[q], c, s);
            }
        }
        if (!rotated) return;
    }
}

}  // namespace elc
