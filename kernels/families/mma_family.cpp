// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma_family.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/family_table.h"
#include "kernels/families/mma_constraints.h"
#include "kernels/families/mma_recipes.h"
#include "kernels/families/mma_schedule.h"
#include "kernels/families/proof_shapes.h"

namespace mmtune {
namespace {

/// The block tile that covers an extent, of at most 256.
int64_t blockTileLimit(int64_t extent, int64_t smallest) {
  return std::max(smallest, nextPowerOfTwo(std::min<int64_t>(extent, 256)));
}

std::vector<int64_t> tileAxis(int64_t low, int64_t limit) { return axisWithin({8, 16, 32, 64, 128, 256}, low, limit); }

/// The largest extent over the middle of its last tile that lies as far from a multiple of the widest access as `kind`
/// does, so that copies and stores are as wide as those of `kind`; the middle itself where a tile is too small for
/// that.
int64_t raggedLike(int64_t kind, int64_t extent, int64_t tile) {
  int64_t middle = extent - tile / 2;
  for (int64_t shorter = middle; shorter > extent - tile; --shorter)
    if (shorter % 8 == kind % 8) return shorter;
  return middle;
}

}  // namespace

const SpaceFamily& mmaFamily() {
  static const MmaFamily family;
  return family;
}

const std::vector<ParameterDomain>& MmaFamily::domains() const {
  static const std::vector<ParameterDomain> domains = MmaSchedule::domains();
  return domains;
}

std::vector<ScheduleParameter> MmaFamily::Parameters(const MatmulProblem& problem, const DeviceInfo& device) const {
  using Values = std::vector<int64_t>;
  // Residency, the order of blocks and what latency costs mean little to the SIMT device.
  bool gpu = device.kind == DeviceKind::kCuda;
  int64_t bm = blockTileLimit(problem.m, 16), bn = blockTileLimit(problem.n, 8);
  int64_t bk = nextPowerOfTwo(std::clamp<int64_t>(problem.k, 16, problem.dtype == DataType::kF32 ? 64 : 128));
  bool atomics = problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
  return {
      {"bm", tileAxis(std::min<int64_t>(bm, 32), bm)},
      {"bn", tileAxis(std::min<int64_t>(bn, 32), bn)},
      {"wm", tileAxis(bm >= 128 ? 32 : 16, std::min<int64_t>(bm, 128))},
      {"wn", tileAxis(bn >= 128 ? 16 : 8, std::min<int64_t>(bn, 128))},
      {"bk", axisWithin({16, 32, 64, 128}, std::min<int64_t>(bk, 16), bk)},
      {"split_k", gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2, 4}},
      {"reduction", atomics ? Values{kNoReduction, kAtomicReduction, kWorkspaceReduction}
                            : Values{kNoReduction, kWorkspaceReduction}},
      {"stages", gpu ? Values{2, 3, 4, 5, 6} : Values{2, 3}},
      {"prefetch", {0, 1}},
      {"min_blocks", gpu ? Values{1, 2, 3} : Values{1}},
      {"group_m", gpu ? Values{1, 4, 8, 16} : Values{1}},
  };
}

std::vector<ScheduleConstraint> MmaFamily::Constraints(const MatmulProblem& problem, const DeviceInfo& device) const {
  return mmaConstraints(problem, device);
}

ScheduleGeometry MmaFamily::describe(const MatmulProblem& problem, const Schedule& schedule) const {
  MmaTiling tiling(problem, MmaSchedule::fromSchedule(schedule));
  const MmaSchedule& s = tiling.schedule;
  ScheduleGeometry geometry;
  geometry.tile = {s.bm, s.bn, s.bk};
  geometry.threads = tiling.threads;
  geometry.stages = s.stages;
  geometry.splitK = s.splitK;
  geometry.groupM = s.groupM;
  geometry.blocks = tiling.grid.blocks();
  geometry.sharedBytes = tiling.sharedBytes();
  geometry.registers = tiling.registerEstimate();
  double bytesC = static_cast<double>(DataTypeBytes(problem.TypeOfC()) * problem.ElementsC());
  // Partial sums are f32; the last pass writes C itself.
  double partial =
      4.0 * static_cast<double>(problem.ElementsC()) * static_cast<double>(passesOverC(s.reduction, s.splitK) - 1);
  geometry.bytesMoved = operandBytesRead(problem, tiling.grid.gridM, tiling.grid.gridN) + partial + bytesC;
  geometry.words.blockTile = absl::StrCat(s.bm, "x", s.bn, "x", s.bk);
  geometry.words.threadTile = absl::StrCat(s.wm, "x", s.wn, "/warp");
  geometry.words.stages = absl::StrCat(s.stages);
  geometry.words.splitK = absl::StrCat(s.splitK);
  return geometry;
}

LaunchPlan MmaFamily::makeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const {
  MmaTiling tiling(problem, MmaSchedule::fromSchedule(schedule));
  const MmaSchedule& s = tiling.schedule;
  PlanStep product;
  product.kernel = kKernel;
  product.grid[0] = static_cast<uint32_t>(tiling.grid.blocksPerMatrix() * problem.batch);
  product.grid[2] = static_cast<uint32_t>(s.splitK);
  product.block[0] = static_cast<uint32_t>(tiling.threads);
  product.dynamic_shared_bytes = static_cast<uint32_t>(tiling.sharedBytes());
  return planSplits(problem, std::move(product), s.reduction, s.splitK);
}

std::vector<LadderRung> MmaFamily::ladder(const MatmulProblem& problem) const { return mmaLadder(problem); }

std::vector<ByPreference<Schedule>> MmaFamily::defaultSchedules() const { return mmaDefaultSchedules(); }

std::vector<ByPreference<MatmulProblem>> MmaFamily::proofShapes(const MatmulProblem& problem,
                                                                const ScheduleGeometry& geometry) const {
  std::vector<ByPreference<MatmulProblem>> shapes = tiledProofShapes(problem, geometry);
  // Which instructions copy and store is decided by how far rows are aligned.
  MatmulProblem ragged = shapes.front().front();
  ragged.m = raggedLike(problem.m, ragged.m, geometry.tile.m);
  ragged.n = raggedLike(problem.n, ragged.n, geometry.tile.n);
  ragged.k = raggedLike(problem.k, ragged.k, geometry.tile.k);
  shapes.back().insert(shapes.back().begin(), ragged);
  return shapes;
}

}  // namespace mmtune
