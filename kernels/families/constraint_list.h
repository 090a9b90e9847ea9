// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the rules of a family, each on the parameters that are decided by then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/families/product_layout.h"
#include "kernels/families/run_time_sizes.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// `Values` has the parameters of a schedule and Values::FromValues(values, count); `Tiling` is what
/// they imply for a problem, and where it takes one, a layout.
template <typename Values, typename Tiling>
class ConstraintList {
 public:
  explicit ConstraintList(const MatmulProblem& problem, const ProductLayout& layout = {})
      : problem(problem), layout(layout) {}

  /// A rule on the problem and the device alone.
  void AddFact(std::string name, bool holds) {
    rules.push_back({std::move(name), 1, [holds](const Values&) { return holds; }, nullptr});
  }

  /// `holds` may read what the parameters up to and including number `last` decide.
  void add(size_t last, std::string name, std::function<bool(const Values&)> holds) {
    rules.push_back({std::move(name), last + 1, std::move(holds), nullptr});
  }

  /// The same for rules on the tiling; every division in it must be exact by then.
  void AddTiling(size_t last, std::string name, std::function<bool(const Tiling&)> holds) {
    rules.push_back({std::move(name), last + 1, nullptr, std::move(holds)});
  }

  /// Whether the rules hold that need no tiling, and then those on it, for who has many schedules to look at: a rule of
  /// take() makes itself a tiling.
  bool HoldWithoutTiling(const Values& values) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.ofValues || rule.ofValues(values); });
  }
  bool HoldOnTiling(const Tiling& tiling) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.ofTiling || rule.ofTiling(tiling); });
  }

  /// Sorted by `ready`.
  std::vector<ScheduleConstraint> take() {
    std::ranges::stable_sort(rules, {}, &Rule::ready);
    std::vector<ScheduleConstraint> constraints;
    constraints.reserve(rules.size());
    for (Rule& rule : rules) {
      const size_t ready = rule.ready;
      std::function<bool(const int64_t*)> holds;
      if (rule.ofValues)
        holds = [ready, holds = std::move(rule.ofValues)](const int64_t* values) {
          return holds(Values::FromValues(values, ready));
        };
      else
        holds = [ready, problem = problem, layout = layout, holds = std::move(rule.ofTiling)](const int64_t* values) {
          return holds(TilingOf(problem, Values::FromValues(values, ready), layout));
        };
      constraints.push_back({std::move(rule.name), ready, std::move(holds)});
    }
    return constraints;
  }

 private:
  struct Rule {
    std::string name;
    size_t ready;
    // One of them.
    std::function<bool(const Values&)> ofValues;
    std::function<bool(const Tiling&)> ofTiling;
  };

  static Tiling TilingOf(const MatmulProblem& problem, const Values& values, const ProductLayout& layout) {
    if constexpr (std::is_constructible_v<Tiling, MatmulProblem, Values, RunTimeSizes, ProductLayout>)
      return Tiling(problem, values, {}, layout);
    else
      return Tiling(problem, values);
  }

  MatmulProblem problem;
  ProductLayout layout;
  std::vector<Rule> rules;
};

}  // namespace mmtune
