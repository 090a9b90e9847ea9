#include "kernels/families/simt_f32_schedule.h"

#include <algorithm>
#include <array>

#include "kernels/families/space_family.h"

namespace mmtune {
namespace {

struct Field {
  const char *name;
  int64_t SimtF32Schedule::*member;
};

constexpr std::array<Field, kSimtParameterCount> kFields = {{
    {"bm", &SimtF32Schedule::bm},
    {"bn", &SimtF32Schedule::bn},
    {"tm", &SimtF32Schedule::tm},
    {"tn", &SimtF32Schedule::tn},
    {"lm", &SimtF32Schedule::lm},
    {"bk", &SimtF32Schedule::bk},
    {"split_k", &SimtF32Schedule::splitK},
    {"reduction", &SimtF32Schedule::reduction},
    {"kmajor_a", &SimtF32Schedule::kmajorA},
    {"pad_a", &SimtF32Schedule::padA},
    {"pad_b", &SimtF32Schedule::padB},
    {"async", &SimtF32Schedule::async},
    {"stages", &SimtF32Schedule::stages},
    {"unroll_k", &SimtF32Schedule::unrollK},
    {"min_blocks", &SimtF32Schedule::minBlocks},
    {"group_m", &SimtF32Schedule::groupM},
}};

} // namespace

SimtF32Schedule SimtF32Schedule::fromValues(const int64_t *values, size_t count) {
  SimtF32Schedule schedule;
  for (size_t i = 0; i < count; ++i)
    schedule.*kFields[i].member = values[i];
  return schedule;
}

SimtF32Schedule SimtF32Schedule::fromSchedule(const Schedule &schedule) {
  SimtF32Schedule result;
  for (const Field &field : kFields)
    result.*field.member = schedule.Get(field.name, result.*field.member);
  return result;
}

SimtF32Tiling::SimtF32Tiling(const MatmulProblem &problem, const SimtF32Schedule &s)
    : problem(problem), schedule(s) {
  ln = 32 / s.lm;
  warpM = s.lm * s.tm;
  warpN = ln * s.tn;
  warpsM = s.bm / warpM;
  warpsN = s.bn / warpN;
  threads = std::max<int64_t>(1, s.bm / s.tm * (s.bn / s.tn));
  gridM = ceilDiv(problem.m, s.bm);
  gridN = ceilDiv(problem.n, s.bn);
  kTiles = ceilDiv(problem.k, s.bk);
  tilesPerSplit = ceilDiv(kTiles, s.splitK);
  strideA = (s.kmajorA ? s.bm : s.bk) + s.padA;
  strideB = s.bn + s.padB;
  elementsA = roundUp((s.kmajorA ? s.bk : s.bm) * strideA, 4);
  elementsB = roundUp(s.bk * strideB, 4);
  stageElements = elementsA + elementsB;
  // cp.async moves whole pieces, so it cannot transpose more than one float at a time.
  copyA = s.kmajorA && s.async ? 1 : vectorWidth(problem.k, s.bk);
  rowsB = problem.transpose_b ? s.bn : s.bk;
  columnsB = problem.transpose_b ? s.bk : s.bn;
  if (problem.transpose_b)
    copyB = s.async ? 1 : vectorWidth(problem.k, s.bk);
  else
    copyB = vectorWidth(problem.n, s.bn);
  chunksPerRowA = s.bk / copyA;
  chunksPerRowB = columnsB / copyB;
  chunksA = s.bm * chunksPerRowA;
  chunksB = rowsB * chunksPerRowB;
  fragmentM = vectorWidth(s.tm);
  fragmentN = vectorWidth(s.tn);
  storeC = vectorWidth(problem.n, fragmentN);
  int64_t elements = problem.ElementsC();
  reductionWidth = vectorWidth(elements, problem.HasBias() ? problem.n : elements);
}

int64_t SimtF32Tiling::copiesPerThreadA() const { return ceilDiv(chunksA, threads); }

int64_t SimtF32Tiling::copiesPerThreadB() const { return ceilDiv(chunksB, threads); }

int64_t SimtF32Tiling::registerEstimate() const {
  const SimtF32Schedule &s = schedule;
  int64_t accumulators = s.tm * s.tn;
  // A tile [m][k] is read four k values at a time.
  int64_t fragments = (s.kmajorA ? s.tm : 4 * s.tm) + s.tn;
  // What waits in registers is also moved about while it waits.
  int64_t staged = s.async ? 0 : copiesPerThreadA() * copyA + copiesPerThreadB() * copyB;
  int64_t staging = staged + staged / 4;
  int64_t addresses = 22;
  if (!s.async)
    addresses += s.kmajorA ? 10 : 4; // Transposing stores keep more addresses alive.
  if (s.unrollK != s.bk)
    addresses += 6; // The inner loop carries its own.
  return accumulators + fragments + staging + addresses;
}

} // namespace mmtune
