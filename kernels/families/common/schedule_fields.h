// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for defining a family: its parameters, its validity rules and the values that a search tries. A family states
// its parameters once, in one list; the struct, the names in logs and the domains are generated from it:
//
//   #define MMTUNE_TOY_PARAMETERS(PARAMETER)                            member, name, default, lowest, highest value
//     PARAMETER(tm, "tm", 1, 1, 64) /* Rows of C per thread. */
//   struct ToySchedule : ScheduleValues<ToySchedule> {
//     static constexpr char kFamily[] = "toy";
//     MMTUNE_SCHEDULE_PARAMETERS(ToySchedule, MMTUNE_TOY_PARAMETERS)
//   };
//
// Rules and search axes refer to a parameter by its member:
//
//   SearchParameters<ToySchedule>({{&ToySchedule::tm, {1, 2, 4, 8}}});
//   rules.add(&ToySchedule::tm, "tm divides m", [m](const ToySchedule& s) { return m % s.tm == 0; });
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/families/common/family_base.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/kernel_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A parameter: its name in schedules, its member in the family's struct, and its lowest and highest value.
template <typename Values>
struct ScheduleField {
  const char* name;
  int64_t Values::* member;
  int64_t low, high;
};

/// Declares the members of a struct of parameters, and fields(), which lists them. Rules and enumerations use this
/// order.
#define MMTUNE_SCHEDULE_PARAMETERS(VALUES, LIST)                                    \
  LIST(MMTUNE_SCHEDULE_MEMBER)                                                      \
  static std::span<const ScheduleField<VALUES>> fields() {                          \
    using Self = VALUES;                                                            \
    static constexpr ScheduleField<Self> kFields[] = {LIST(MMTUNE_SCHEDULE_FIELD)}; \
    return kFields;                                                                 \
  }
#define MMTUNE_SCHEDULE_MEMBER(MEMBER, NAME, DEFAULT, LOW, HIGH) int64_t MEMBER = DEFAULT;
#define MMTUNE_SCHEDULE_FIELD(MEMBER, NAME, DEFAULT, LOW, HIGH) {NAME, &Self::MEMBER, LOW, HIGH},

/// Returns the index of a parameter in fields().
template <typename Values>
size_t FieldIndex(int64_t Values::* member) {
  const auto fields = Values::fields();
  return std::ranges::find(fields, member, &ScheduleField<Values>::member) - fields.begin();
}

/// Base class of a family's struct of parameters. The struct defines the family's name `kFamily`, and uses
/// MMTUNE_SCHEDULE_PARAMETERS.
template <typename Values>
struct ScheduleValues {
  /// Returns a struct with the first `count` members set from `values`; the others have their defaults.
  static Values FromValues(const int64_t* values, size_t count) {
    Values result;
    for (size_t i = 0; i < count; ++i) result.*Values::fields()[i].member = values[i];
    return result;
  }

  /// Returns a struct with the parameters of `schedule`. Members that it does not name have their defaults.
  static Values FromSchedule(const Schedule& schedule) {
    Values result;
    for (const ScheduleField<Values>& field : Values::fields())
      result.*field.member = schedule.Get(field.name, result.*field.member);
    return result;
  }

  /// Returns a schedule with all members as parameters.
  Schedule ToSchedule() const {
    Schedule schedule;
    schedule.family = Values::kFamily;
    for (const ScheduleField<Values>& field : Values::fields())
      schedule.params[field.name] = static_cast<const Values*>(this)->*field.member;
    return schedule;
  }
};

/// A parameter and the values that a search tries for it.
template <typename Values>
struct SearchAxis {
  int64_t Values::* member;
  std::vector<int64_t> values;
};

/// Returns the axes as parameters of a search, in the order of fields(). A parameter without an axis has only its
/// default.
template <typename Values>
std::vector<ScheduleParameter> SearchParameters(std::initializer_list<SearchAxis<Values>> axes) {
  static const Values defaults;
  std::vector<ScheduleParameter> parameters;
  for (const ScheduleField<Values>& field : Values::fields())
    parameters.push_back({field.name, {defaults.*field.member}});
  for (const SearchAxis<Values>& axis : axes) parameters[FieldIndex(axis.member)].values = axis.values;
  return parameters;
}

/// Base class of a family whose parameters are the members of `Values`.
template <typename Values>
class ScheduleFamily : public FamilyBase {
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

/// Collects the validity rules of a family. A rule reads either `Values`, the schedule's parameters, or `Tiling`, the
/// sizes that follow from the parameters and the problem: tiles, threads, bytes. An enumeration of the space evaluates
/// many rules for the same values, so each thread caches the last tiling. `Tiling` is constructed from the problem and
/// the values, or, if it accepts a layout, from the problem, the values, RunTimeSizes and the layout.
template <typename Values, typename Tiling>
class ConstraintList {
 public:
  explicit ConstraintList(const MatmulProblem& problem, const MatmulLayout& layout = {})
      : context(std::make_shared<const Context>(problem, layout)) {}

  /// Adds a rule that depends on the problem and the device alone.
  void AddFact(std::string name, bool holds) {
    rules.push_back({std::move(name), 1, [holds](const Values&) { return holds; }, nullptr});
  }

  /// Adds a rule that reads parameters up to and including `last`, in the order of fields().
  void add(int64_t Values::* last, std::string name, std::function<bool(const Values&)> holds) {
    rules.push_back({std::move(name), FieldIndex(last) + 1, std::move(holds), nullptr});
  }

  /// Adds a rule that reads the tiling, which is computed from parameters up to and including `last`. Earlier rules
  /// must ensure that the divisions in the tiling are exact.
  void AddTiling(int64_t Values::* last, std::string name, std::function<bool(const Tiling&)> holds) {
    rules.push_back({std::move(name), FieldIndex(last) + 1, nullptr, std::move(holds)});
  }

  /// True if all rules on values hold.
  bool ValueRulesHold(const Values& values) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.onValues || rule.onValues(values); });
  }
  /// True if all rules on the tiling hold.
  bool TilingRulesHold(const Tiling& tiling) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.onTiling || rule.onTiling(tiling); });
  }

  /// Returns the rules, and removes them from this list. They are sorted by the number of leading parameters that they
  /// read, because an enumeration checks a rule once these have values.
  std::vector<ScheduleConstraint> take() {
    std::ranges::stable_sort(rules, {}, &Rule::ready);
    std::vector<ScheduleConstraint> constraints;
    constraints.reserve(rules.size());
    for (Rule& rule : rules) {
      const size_t ready = rule.ready;
      std::function<bool(const int64_t*)> holds;
      if (rule.onValues)
        holds = [context = context, ready, holds = std::move(rule.onValues)](const int64_t* values) {
          return holds(LastEvaluation::For(*context, values, ready).schedule);
        };
      else
        holds = [context = context, ready, holds = std::move(rule.onTiling)](const int64_t* values) {
          return holds(LastEvaluation::For(*context, values, ready).TilingOf(*context));
        };
      constraints.push_back({std::move(rule.name), ready, std::move(holds)});
    }
    return constraints;
  }

 private:
  struct Rule {
    std::string name;
    size_t ready;  ///< The number of leading parameters that the rule reads.
    // One of the two is set.
    std::function<bool(const Values&)> onValues;
    std::function<bool(const Tiling&)> onTiling;
  };

  /// The problem and the layout for which the rules are evaluated.
  struct Context {
    Context(const MatmulProblem& problem, const MatmulLayout& layout) : problem(problem), layout(layout) {}

    MatmulProblem problem;
    MatmulLayout layout;
    /// Unique among all lists, so that a cached evaluation is not mistaken for another list's.
    uint64_t number = NextNumber();

    static uint64_t NextNumber() {
      static std::atomic<uint64_t> last = 0;
      return ++last;
    }
  };

  /// The values for which this thread evaluated rules last, and the tiling derived from them.
  struct LastEvaluation {
    uint64_t context = 0;  ///< Context::number.
    std::vector<int64_t> values;
    Values schedule;
    std::optional<Tiling> tiling;

    static LastEvaluation& For(const Context& context, const int64_t* values, size_t count) {
      thread_local LastEvaluation last;
      last.Update(context, values, count);
      return last;
    }

    /// Sets the values. In an enumeration, usually only the last value changes, so equal leading values are not set
    /// again.
    void Update(const Context& context, const int64_t* asked, size_t count) {
      const size_t before = context.number == this->context ? values.size() : 0;
      size_t same = 0;
      while (same < std::min(before, count) && values[same] == asked[same]) ++same;
      if (same == count && same == before && before > 0) return;
      if (before == 0) schedule = Values();
      this->context = context.number;
      const auto fields = Values::fields();
      static const Values unset;
      for (size_t i = same; i < count; ++i) schedule.*fields[i].member = asked[i];
      for (size_t i = count; i < before; ++i) schedule.*fields[i].member = unset.*fields[i].member;
      values.assign(asked, asked + count);
      tiling.reset();
    }

    const Tiling& TilingOf(const Context& context) {
      if (!tiling) {
        if constexpr (std::is_constructible_v<Tiling, MatmulProblem, Values, RunTimeSizes, MatmulLayout>)
          tiling.emplace(context.problem, schedule, RunTimeSizes{}, context.layout);
        else
          tiling.emplace(context.problem, schedule);
      }
      return *tiling;
    }
  };

  std::shared_ptr<const Context> context;
  std::vector<Rule> rules;
};

}  // namespace mmtune
