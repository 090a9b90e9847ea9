// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the rules of a family, each on the parameters that are decided by then.
#pragma once

#include <algorithm>
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
    constraints.push_back({std::move(name), 1, [holds](const int64_t*) { return holds; }});
  }

  /// `holds` may read what the parameters up to and including number `last` decide.
  template <typename Holds>
  void add(size_t last, std::string name, Holds holds) {
    size_t ready = last + 1;
    constraints.push_back({std::move(name), ready,
                           [ready, holds](const int64_t* values) { return holds(Values::FromValues(values, ready)); }});
  }

  /// The same for rules on the tiling; every division in it must be exact by then.
  template <typename Holds>
  void AddTiling(size_t last, std::string name, Holds holds) {
    if constexpr (std::is_constructible_v<Tiling, MatmulProblem, Values, RunTimeSizes, ProductLayout>)
      add(last, std::move(name), [problem = problem, layout = layout, holds](const Values& s) {
        return holds(Tiling(problem, s, {}, layout));
      });
    else
      add(last, std::move(name), [problem = problem, holds](const Values& s) { return holds(Tiling(problem, s)); });
  }

  /// Sorted by `ready`.
  std::vector<ScheduleConstraint> take() {
    std::stable_sort(constraints.begin(), constraints.end(),
                     [](const ScheduleConstraint& a, const ScheduleConstraint& b) { return a.ready < b.ready; });
    return std::move(constraints);
  }

 private:
  MatmulProblem problem;
  ProductLayout layout;
  std::vector<ScheduleConstraint> constraints;
};

}  // namespace mmtune
