// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a family as members of a struct: spelled once, in one list.
//
// Collects the rules of a family, each on the parameters that are decided by then.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/space_family.h"
#include "proto/types/kernel_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

template <typename Values>
struct ScheduleField {
  const char* name;
  int64_t Values::* member;
  int64_t low, high;  ///< The domain.
};

/// What a struct of parameters inherits. It has the family's name, `kFamily`, and
/// `static std::span<const ScheduleField<Values>> fields()`, in the order in which constraints count the parameters.
template <typename Values>
struct ScheduleValues {
  /// Takes the first `count` of `values`; the other members keep their defaults.
  static Values FromValues(const int64_t* values, size_t count) {
    Values result;
    for (size_t i = 0; i < count; ++i) result.*Values::fields()[i].member = values[i];
    return result;
  }

  /// What the schedule does not name keeps its default.
  static Values FromSchedule(const Schedule& schedule) {
    Values result;
    for (const ScheduleField<Values>& field : Values::fields())
      result.*field.member = schedule.Get(field.name, result.*field.member);
    return result;
  }

  Schedule ToSchedule() const {
    Schedule schedule;
    schedule.family = Values::kFamily;
    for (const ScheduleField<Values>& field : Values::fields())
      schedule.params[field.name] = static_cast<const Values*>(this)->*field.member;
    return schedule;
  }
};

/// A family whose parameters are the members of `Values`.
template <typename Values>
class FamilyOf : public SpaceFamily {
 public:
  std::string_view name() const final { return Values::kFamily; }

 protected:
  const std::vector<ParameterDomain>& domains() const final {
    static const std::vector<ParameterDomain> domains = [] {
      std::vector<ParameterDomain> list;
      for (const ScheduleField<Values>& field : Values::fields()) list.push_back({field.name, field.low, field.high});
      return list;
    }();
    return domains;
  }
};


/// `Values` has the parameters of a schedule, ScheduleValues; `Tiling` is what they imply for a problem, and where it
/// takes one, a layout. Rules are asked one after another about the same values: what these imply is made once for all
/// that are ready together.
template <typename Values, typename Tiling>
class ConstraintList {
 public:
  explicit ConstraintList(const MatmulProblem& problem, const MatmulLayout& layout = {})
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
    Terms(const MatmulProblem& problem, const MatmulLayout& layout) : problem(problem), layout(layout) {}

    MatmulProblem problem;
    MatmulLayout layout;
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
        if constexpr (std::is_constructible_v<Tiling, MatmulProblem, Values, RunTimeSizes, MatmulLayout>)
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
