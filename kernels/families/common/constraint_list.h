// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the rules of a family, each on the parameters that are decided by then.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/families/common/product_layout.h"
#include "kernels/families/common/run_time_sizes.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// `Values` has the parameters of a schedule, ScheduleValues; `Tiling` is what they imply for a problem, and where it
/// takes one, a layout. Rules are asked one after another about the same values: what these imply is made once for all
/// that are ready together.
template <typename Values, typename Tiling>
class ConstraintList {
 public:
  explicit ConstraintList(const MatmulProblem& problem, const ProductLayout& layout = {})
      : terms(std::make_shared<const Terms>(problem, layout)) {}

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

  /// Whether the rules hold that need no tiling, and then those on it, for who has a tiling of each schedule anyway.
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
        holds = [terms = terms, ready, holds = std::move(rule.ofValues)](const int64_t* values) {
          return holds(Asked::About(*terms, values, ready).schedule);
        };
      else
        holds = [terms = terms, ready, holds = std::move(rule.ofTiling)](const int64_t* values) {
          return holds(Asked::About(*terms, values, ready).TilingOf(*terms));
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

  struct Terms {
    Terms(const MatmulProblem& problem, const ProductLayout& layout) : problem(problem), layout(layout) {}

    MatmulProblem problem;
    ProductLayout layout;
    uint64_t number = NextNumber();  ///< No other list has had it.

    static uint64_t NextNumber() {
      static std::atomic<uint64_t> last = 0;
      return ++last;
    }
  };

  /// What a thread asked about last.
  struct Asked {
    uint64_t terms = 0;  ///< By number.
    std::vector<int64_t> values;
    Values schedule;
    std::optional<Tiling> tiling;

    static Asked& About(const Terms& terms, const int64_t* values, size_t count) {
      thread_local Asked last;
      last.Ask(terms, values, count);
      return last;
    }

    /// Mostly the last value alone is another one than before.
    void Ask(const Terms& terms, const int64_t* asked, size_t count) {
      const size_t before = terms.number == this->terms ? values.size() : 0;
      size_t same = 0;
      while (same < std::min(before, count) && values[same] == asked[same]) ++same;
      if (same == count && same == before && before > 0) return;
      if (before == 0) schedule = Values();
      this->terms = terms.number;
      const auto fields = Values::fields();
      static const Values unset;
      for (size_t i = same; i < count; ++i) schedule.*fields[i].member = asked[i];
      for (size_t i = count; i < before; ++i) schedule.*fields[i].member = unset.*fields[i].member;
      values.assign(asked, asked + count);
      tiling.reset();
    }

    const Tiling& TilingOf(const Terms& terms) {
      if (!tiling) {
        if constexpr (std::is_constructible_v<Tiling, MatmulProblem, Values, RunTimeSizes, ProductLayout>)
          tiling.emplace(terms.problem, schedule, RunTimeSizes{}, terms.layout);
        else
          tiling.emplace(terms.problem, schedule);
      }
      return *tiling;
    }
  };

  std::shared_ptr<const Terms> terms;
  std::vector<Rule> rules;
};

}  // namespace mmtune
