// The exact search without Python: problems in, answers out as hexadecimal numbers that can be compared bit for bit.
//
// A problem is one line, `name criterion planes learn|right r min_rows bits_of must_beat n_prices prices n m k`, and n
// lines with a row's m values, its label and its weight. Labels are classes or, where k is 0, numbers (criterion
// `squared_error`). There are as many prices as n_prices says.
// tools/portability/compare.py writes the problems and says what the answers are compared with.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "exact/node/make_exact_node.hpp"
#include "exact/partition.hpp"
#include "exact/search.hpp"

namespace elc {
namespace {

struct Problem {
    std::string name;
    Options options;
    int64_t n_features = 0;
    int n_classes = 0;
    std::vector<double> x, numbers, weights;
    std::vector<int64_t> y, rows;

    RowView view() const {
        const int64_t n_rows = static_cast<int64_t>(rows.size());
        const double* labels = n_classes == 0 ? numbers.data() : nullptr;
        return {x.data(), y.data(), rows.data(), weights.data(), n_rows, n_features, n_classes, labels};
    }
};

// Streams read no hexadecimal numbers, std::stod does.
double read_number(std::istream& in) {
    std::string word;
    in >> word;
    return std::stod(word);
}

Candidates candidates_named(const std::string& planes) {
    if (planes == "any") return Candidates::any;
    return planes == "through" ? Candidates::through : Candidates::canonical;
}

void read_options(std::istream& in, Options& options) {
    std::string planes, missing;
    in >> options.criterion >> planes >> missing >> options.r >> options.min_rows;
    options.planes = candidates_named(planes);
    options.missing = missing == "learn" ? MissingMode::learn : MissingMode::right;
    options.bits_of = read_number(in);
    options.must_beat = read_number(in);
    size_t n_prices = 0;
    in >> n_prices;
    while (options.prices.size() < n_prices) options.prices.push_back(read_number(in));
}

void read_rows(std::istream& in, int64_t n_rows, Problem& problem) {
    for (int64_t i = 0; i < n_rows; ++i) {
        for (int64_t j = 0; j < problem.n_features; ++j) problem.x.push_back(read_number(in));
        problem.numbers.push_back(read_number(in));
        problem.y.push_back(static_cast<int64_t>(problem.numbers.back()));
        problem.weights.push_back(read_number(in));
    }
    problem.rows.resize(static_cast<size_t>(n_rows));
    std::iota(problem.rows.begin(), problem.rows.end(), int64_t{0});
}

bool read_problem(std::istream& in, Problem& problem) {
    problem = Problem();
    if (!(in >> problem.name)) return false;
    read_options(in, problem.options);
    int64_t n_rows = 0;
    in >> n_rows >> problem.n_features >> problem.n_classes;
    read_rows(in, n_rows, problem);
    return true;
}

void print_sides(const ExactNode& node, const SearchAnswer& answer) {
    const std::vector<int8_t> sides = partition(node, answer.features, answer.found);
    std::string by_row(sides.size(), '?');
    for (int i = 0; i < node.n; ++i)
        by_row[static_cast<size_t>(node.caller_row[i])] = static_cast<char>('0' + sides[i]);
    std::printf(" missing %d sides %s", missing_goes_left(node, answer.found, sides), by_row.c_str());
}

void print_split(const ExactNode& node, const SearchAnswer& answer) {
    std::printf(" features");
    for (int feature : answer.features) std::printf(" %d", feature);
    std::printf(" plane");
    for (size_t j = 0; j < answer.features.size(); ++j) std::printf(" %a", answer.found.plane.w[j]);
    std::printf(" margin");
    for (double across : answer.normal) std::printf(" %a", across);
    print_sides(node, answer);
}

void print_answer(const Problem& problem, const ExactNode& node, const SearchAnswer& answer) {
    std::printf("%s loss %a bound %a proven %d ties %lld", problem.name.c_str(), answer.found.loss, answer.bound,
                answer.proven, static_cast<long long>(answer.n_ties));
    if (answer.has_split()) print_split(node, answer);
    std::printf("\n");
}

void answer_all(std::istream& in) {
    Problem problem;
    while (read_problem(in, problem)) {
        ExactNode node = make_exact_node(problem.view(), problem.options);
        print_answer(problem, node, search(node, {}));
    }
}

}  // namespace
}  // namespace elc

int main() {
    elc::answer_all(std::cin);
    return 0;
}
