// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of a family's parameters, rules and search axes. A family states its parameters once, in one list:
//
//   #define MMTUNE_TOY_PARAMETERS(PARAMETER)                            member, name, default, lowest, highest value
//     PARAMETER(tm, "tm", 1, 1, 64) /* Rows of C per thread. */
//   struct ToySchedule : ScheduleValues<ToySchedule> {
//     static constexpr char kFamily[] = "toy";
//     MMTUNE_SCHEDULE_PARAMETERS(ToySchedule, MMTUNE_TOY_PARAMETERS)
//   };
//
// Rules and search axes name a parameter by its member, &ToySchedule::tm.
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

#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/space_family.h"
#include "proto/types/kernel_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A parameter: its name in schedules, its member in the family's struct, and its domain.
template <typename Values>
struct ScheduleField {
  const char* name;
  int64_t Values::* member;
  int64_t low, high;
};

/// Declares the members of a struct of parameters and its fields(), in the order in which rules may read them.
#define MMTUNE_SCHEDULE_PARAMETERS(VALUES, LIST)                                    \
  LIST(MMTUNE_SCHEDULE_MEMBER)                                                      \
  static std::span<const ScheduleField<VALUES>> fields() {                          \
    using Self = VALUES;                                                            \
    static constexpr ScheduleField<Self> kFields[] = {LIST(MMTUNE_SCHEDULE_FIELD)}; \
    return kFields;                                                                 \
  }
#define MMTUNE_SCHEDULE_MEMBER(MEMBER, NAME, DEFAULT, LOW, HIGH) int64_t MEMBER = DEFAULT;
#define MMTUNE_SCHEDULE_FIELD(MEMBER, NAME, DEFAULT, LOW, HIGH) {NAME, &Self::MEMBER, LOW, HIGH},

/// Returns the position of a parameter in fields().
template <typename Values>
size_t FieldIndex(int64_t Values::* member) {
  const auto fields = Values::fields();
  return std::ranges::find(fields, member, &ScheduleField<Values>::member) - fields.begin();
}

/// Base of a struct of parameters, which has the family's name, `kFamily`, and MMTUNE_SCHEDULE_PARAMETERS.
template <typename Values>
struct ScheduleValues {
  /// Takes the first `count` of `values`; the other members keep their defaults.
  static Values FromValues(const int64_t* values, size_t count) {
    Values result;
    for (size_t i = 0; i < count; ++i) result.*Values::fields()[i].member = values[i];
    return result;
  }

  /// Members that the schedule does not name keep their defaults.
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

/// The values of one parameter that a search tries.
template <typename Values>
struct SearchAxis {
  int64_t Values::* member;
  std::vector<int64_t> values;
};

/// Returns the axes as parameters of a search, in the order of fields(). A parameter without an axis keeps its default.
template <typename Values>
std::vector<ScheduleParameter> SearchParameters(std::initializer_list<SearchAxis<Values>> axes) {
  static const Values defaults;
  std::vector<ScheduleParameter> parameters;
  for (const ScheduleField<Values>& field : Values::fields())
    parameters.push_back({field.name, {defaults.*field.member}});
  for (const SearchAxis<Values>& axis : axes) parameters[FieldIndex(axis.member)].values = axis.values;
  return parameters;
}

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

/// Collects the rules of a family. A rule reads `Values`, the parameters, or `Tiling`, which a problem and, where its
/// constructor takes one, a layout derive from them. Rules are evaluated one after another for the same values, so
/// those that are ready together share one tiling.
template <typename Values, typename Tiling>
class ConstraintList {
 public:
  explicit ConstraintList(const MatmulProblem& problem, const MatmulLayout& layout = {})
      : terms(std::make_shared<const Terms>(problem, layout)) {}

  /// Adds a rule on the problem and the device alone.
  void AddFact(std::string name, bool holds) {
    rules.push_back({std::move(name), 1, [holds](const Values&) { return holds; }, nullptr});
  }

  /// Adds a rule that reads parameters up to and including `last`.
  void add(int64_t Values::* last, std::string name, std::function<bool(const Values&)> holds) {
    rules.push_back({std::move(name), FieldIndex(last) + 1, std::move(holds), nullptr});
  }

  /// Adds a rule on the tiling. Rules before it must ensure that every division in the tiling is exact.
  void AddTiling(int64_t Values::* last, std::string name, std::function<bool(const Tiling&)> holds) {
    rules.push_back({std::move(name), FieldIndex(last) + 1, nullptr, std::move(holds)});
  }

  /// True if the rules on values hold. Callers that have a tiling then ask HoldOnTiling().
  bool HoldWithoutTiling(const Values& values) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.ofValues || rule.ofValues(values); });
  }
  bool HoldOnTiling(const Tiling& tiling) const {
    return std::ranges::all_of(rules, [&](const Rule& rule) { return !rule.ofTiling || rule.ofTiling(tiling); });
  }

  /// Returns the rules, sorted by `ready`.
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
    // One of the two is set.
    std::function<bool(const Values&)> ofValues;
    std::function<bool(const Tiling&)> ofTiling;
  };

  struct Terms {
    Terms(const MatmulProblem& problem, const MatmulLayout& layout) : problem(problem), layout(layout) {}

    MatmulProblem problem;
    MatmulLayout layout;
    uint64_t number = NextNumber();  ///< Unique among all lists.

    static uint64_t NextNumber() {
      static std::atomic<uint64_t> last = 0;
      return ++last;
    }
  };

  /// The last values for which the thread evaluated rules.
  struct Asked {
    uint64_t terms = 0;  ///< Terms::number.
    std::vector<int64_t> values;
    Values schedule;
    std::optional<Tiling> tiling;

    static Asked& About(const Terms& terms, const int64_t* values, size_t count) {
      thread_local Asked last;
      last.Ask(terms, values, count);
      return last;
    }

    /// Updates the changed values; in an enumeration, mostly the last one alone.
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
