// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/direct_schedule.h"

#include "kernels/families/direct_family.h"
#include "kernels/families/schedule_fields.h"

namespace mmtune {
namespace {

constexpr ScheduleFields<DirectSchedule, kDirectParameterCount> kFields = {{
    {"bx", &DirectSchedule::bx, 1, 1024},
    {"by", &DirectSchedule::by, 1, 1024},
    {"tm", &DirectSchedule::tm, 1, 64},
    {"tn", &DirectSchedule::tn, 1, 64},
}};

}  // namespace

DirectSchedule DirectSchedule::fromValues(const int64_t* values, size_t count) {
  return fieldsFromValues(kFields, values, count);
}

DirectSchedule DirectSchedule::fromSchedule(const Schedule& schedule) { return fieldsFromSchedule(kFields, schedule); }

Schedule DirectSchedule::toSchedule() const { return fieldsToSchedule(kFields, DirectFamily::kName, *this); }

std::vector<ParameterDomain> DirectSchedule::domains() { return fieldDomains(kFields); }

DirectTiling::DirectTiling(const MatmulProblem& problem, const DirectSchedule& s) : problem(problem), schedule(s) {
  bm = s.by * s.tm;
  bn = s.bx * s.tn;
  threads = s.bx * s.by;
  gridM = ceilDiv(problem.m, bm);
  gridN = ceilDiv(problem.n, bn);
  blocks = gridM * gridN * problem.batch;
  vectorN = vectorWidth(problem.n, s.tn);
  stepK = vectorWidth(problem.k);
}

int64_t DirectTiling::registerEstimate() const {
  const DirectSchedule& s = schedule;
  int64_t accumulators = s.tm * s.tn;
  int64_t fragments = s.tm * stepK + s.tn * stepK;
  int64_t addresses = 24 + 2 * s.tm;
  return accumulators + fragments + addresses;
}

}  // namespace mmtune
