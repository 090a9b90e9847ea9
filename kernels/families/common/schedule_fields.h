// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a family as members of a struct: spelled once, in one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/families/common/space_family.h"
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

}  // namespace mmtune
