// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a family as members of a struct: spelled once, in one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/families/space_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

template <typename Values>
struct ScheduleField {
  const char* name;
  int64_t Values::* member;
  int64_t low, high;  ///< The domain.
};

/// In the order in which constraints count the parameters.
template <typename Values, size_t N>
using ScheduleFields = std::array<ScheduleField<Values>, N>;

/// Takes the first `count` of `values`; the other members keep their defaults.
template <typename Values, size_t N>
Values fieldsFromValues(const ScheduleFields<Values, N>& fields, const int64_t* values, size_t count) {
  Values result;
  for (size_t i = 0; i < count; ++i) result.*fields[i].member = values[i];
  return result;
}

/// What the schedule does not name keeps its default.
template <typename Values, size_t N>
Values fieldsFromSchedule(const ScheduleFields<Values, N>& fields, const Schedule& schedule) {
  Values result;
  for (const ScheduleField<Values>& field : fields)
    result.*field.member = schedule.Get(field.name, result.*field.member);
  return result;
}

template <typename Values, size_t N>
Schedule fieldsToSchedule(const ScheduleFields<Values, N>& fields, const char* family, const Values& values) {
  Schedule schedule;
  schedule.family = family;
  for (const ScheduleField<Values>& field : fields) schedule.params[field.name] = values.*field.member;
  return schedule;
}

template <typename Values, size_t N>
std::vector<ParameterDomain> fieldDomains(const ScheduleFields<Values, N>& fields) {
  std::vector<ParameterDomain> domains;
  for (const ScheduleField<Values>& field : fields) domains.push_back({field.name, field.low, field.high});
  return domains;
}

}  // namespace mmtune
