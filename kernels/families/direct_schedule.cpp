#include "kernels/families/direct_schedule.h"

#include "kernels/families/space_family.h"

namespace mmtune {

DirectSchedule DirectSchedule::fromValues(const int64_t *values, size_t count) {
  DirectSchedule schedule;
  int64_t *fields[kDirectParameterCount] = {&schedule.bx, &schedule.by, &schedule.tm, &schedule.tn};
  for (size_t i = 0; i < count; ++i)
    *fields[i] = values[i];
  return schedule;
}

DirectSchedule DirectSchedule::fromSchedule(const Schedule &schedule) {
  DirectSchedule result;
  result.bx = schedule.Get("bx", 1);
  result.by = schedule.Get("by", 1);
  result.tm = schedule.Get("tm", 1);
  result.tn = schedule.Get("tn", 1);
  return result;
}

DirectTiling::DirectTiling(const MatmulProblem &problem, const DirectSchedule &s)
    : problem(problem), schedule(s) {
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
  const DirectSchedule &s = schedule;
  int64_t accumulators = s.tm * s.tn;
  int64_t fragments = s.tm * stepK + s.tn * stepK;
  int64_t addresses = 24 + 2 * s.tm;
  return accumulators + fragments + addresses;
}

} // namespace mmtune
