// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `gemv` family: a matrix times a vector, for products of one row or one column, as fast as memory gives the
// matrix.
//
// Every element of the matrix is read once, in long runs of 16 bytes a lane, straight to registers. Lanes and warps
// share k, and their sums meet by shuffles and through shared memory; splits of k fill the device where outputs are
// few.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/block_rules.h"
#include "kernels/families/family_table.h"
#include "kernels/families/gemv_schedule.h"
#include "kernels/families/proof_shapes.h"

namespace mmtune {
namespace {

/// Sums and loads of the unrolled loop: beyond this the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxUnrolledPieces = 64;

/// What fills a multiprocessor.
constexpr int64_t kMaxThreads = 1024;

/// Least values of k for which a split is worth a second kernel; a judgement.
constexpr int64_t kLeastSplit = 512;

using RuleList = ConstraintList<GemvSchedule, GemvTiling>;

void addStructure(RuleList& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = GemvSchedule;
  using T = GemvTiling;
  list.addFact("C has one row or one column (m or n is 1)", problem.m == 1 || problem.n == 1);
  list.addFact("elements are multiplied as they are (math ieee)", problem.math == MathMode::kIeee);
  list.add(kGemvLanesK, "lanes_k divides 32", [](const S& s) { return 32 % s.lanesK == 0; });
  list.addTiling(kGemvPieces, "no piece of a thread lies wholly beyond the outputs",
                 [](const T& t) { return (t.schedule.pieces - 1) * t.lanesOut * t.pieceOut() < t.outputs; });
  list.addTiling(kGemvWarpsOut, "no warp of a block lies wholly beyond the outputs",
                 [](const T& t) { return (t.schedule.warpsOut - 1) * t.warpOutputs() < t.outputs; });
  list.addTiling(kGemvWarpsOut, "outputs are counted in 31 bits",
                 [](const T& t) { return t.outputs + t.blockOutputs() <= kMaxCoordinate; });
  list.addTiling(kGemvWarpsOut, "block tiles of C are fewer than 2^31",
                 [](const T& t) { return t.grid.blocksPerMatrix() * t.grid.batch <= kMaxGridX; });
  list.addTiling(
      kGemvWarpsK, "a block has no more threads than 1024 and the device allow",
      [limit = std::min(kMaxThreads, device.max_threads_per_block)](const T& t) { return t.threads <= limit; });
  list.addTiling(kGemvWarpsK, "the sums of warps fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.sharedBytes() <= limit; });
  list.addTiling(kGemvUnroll, "a thread loads at most 64 pieces at once (pieces*unroll)",
                 [](const T& t) { return t.schedule.pieces * t.schedule.unroll <= kMaxUnrolledPieces; });
  list.addTiling(kGemvUnroll, "no warp and no piece along k lies wholly beyond it",
                 [](const T& t) { return t.grid.bk - t.schedule.lanesK * t.pieceK() < t.problem.k; });
  list.addTiling(kGemvUnroll, "the estimated registers fit without a spill",
                 [device](const T& t) { return t.registerEstimate() <= registerLimit(device, t.threads, 1); });
  list.addTiling(kGemvSplitK, "k steps are counted in 31 bits",
                 [](const T& t) { return t.problem.k + (t.schedule.splitK + 1) * t.grid.bk <= kMaxCoordinate; });
}

Schedule scheduleOf(int64_t lanesK, int64_t pieces, int64_t warpsOut, int64_t warpsK, int64_t unroll, int64_t splitK) {
  int64_t reduction = splitK > 1 ? kWorkspaceReduction : kNoReduction;
  return GemvSchedule{{}, lanesK, pieces, warpsOut, warpsK, unroll, splitK, reduction}.toSchedule();
}

/// Powers of two.
std::vector<int64_t> lanesAxis(int64_t low, int64_t high) { return axisWithin({1, 2, 4, 8, 16, 32}, low, high); }

class GemvFamily final : public FamilyOf<GemvSchedule> {
 public:
  int version() const override { return 1; }
  bool isMadeFor(const MatmulProblem& problem) const override { return problem.m == 1 || problem.n == 1; }

  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    bool gpu = device.kind == DeviceKind::kCuda;
    GemvTiling tiling(problem, {});
    bool atomics = problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
    // As many lanes along the rows of the matrix as a row has pieces; a few more along the others are tried.
    int64_t rowPieces = nextPowerOfTwo(std::min<int64_t>(32, ceilDiv(tiling.rowElements, tiling.width)));
    Values lanesK = tiling.rowsAlongK ? lanesAxis(std::min<int64_t>(rowPieces, 8), rowPieces)
                                      : lanesAxis(32 / rowPieces, std::min<int64_t>(32, 128 / rowPieces));
    return {
        {"lanes_k", lanesK},
        {"pieces", tiling.rowsAlongK ? Values{1, 2, 4, 8} : Values{1, 2}},
        {"warps_out", {1, 2, 4, 8}},
        {"warps_k", {1, 2, 4, 8, 16}},
        {"unroll", {1, 2, 4, 8}},
        {"split_k", gpu ? Values{1, 2, 4, 8, 16, 32} : Values{1, 2, 4}},
        {"reduction", atomics ? Values{kNoReduction, kAtomicReduction, kWorkspaceReduction}
                              : Values{kNoReduction, kWorkspaceReduction}},
    };
  }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    RuleList list(problem);
    addStructure(list, problem, device);
    BlockParameters at{};
    at.splitK = kGemvSplitK, at.reduction = kGemvReduction;
    addSplitRules(list, at, problem, device, "atomics add f32 to a C without an epilogue (reduction=1)",
                  problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32);
    return list.take();
  }

  LaunchPlan makeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    GemvTiling tiling(problem, GemvSchedule::fromSchedule(schedule));
    return planProduct(problem, kGemvKernel, tiling.grid, tiling.threads, tiling.sharedBytes(),
                       tiling.schedule.reduction);
  }

  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    ByPreference<Schedule> schedules;
    for (const ByPreference<Schedule>& byUnroll : defaultSchedules(problem))
      schedules.insert(schedules.end(), byUnroll.begin(), byUnroll.end());
    return {{"matrix-vector", schedules}};
  }

  /// Where rows run along k, warps that walk a few of them each; else warps that share the rows of k. Splits of k as
  /// far as they are long.
  std::vector<ByPreference<Schedule>> defaultSchedules(const MatmulProblem& problem) const override {
    struct Shape {
      int64_t lanesK, pieces, warpsOut, warpsK;
    };
    constexpr Shape kAlongK[] = {{32, 4, 4, 1}, {32, 1, 4, 1}, {32, 1, 1, 8}, {8, 1, 4, 1}, {1, 1, 1, 1}};
    constexpr Shape kAlongOutputs[] = {{1, 1, 1, 8}, {4, 1, 1, 8}, {32, 1, 1, 4}, {1, 1, 1, 1}};
    std::vector<Shape> shapes(std::begin(kAlongOutputs), std::end(kAlongOutputs));
    if (GemvTiling(problem, {}).rowsAlongK) shapes.assign(std::begin(kAlongK), std::end(kAlongK));
    std::vector<ByPreference<Schedule>> all;
    for (int64_t splitK : {1, 2, 4, 8, 16, 32}) {
      if (splitK > 1 && problem.k < splitK * kLeastSplit) break;
      for (const Shape& shape : shapes) {
        ByPreference<Schedule>& schedules = all.emplace_back();
        for (int64_t unroll : {4, 2, 1})
          schedules.push_back(scheduleOf(shape.lanesK, shape.pieces, shape.warpsOut, shape.warpsK, unroll, splitK));
      }
    }
    return all;
  }

  std::vector<ByPreference<MatmulProblem>> proofShapes(const MatmulProblem& problem,
                                                       const ScheduleGeometry& geometry) const override {
    std::vector<ByPreference<MatmulProblem>> shapes = alignedProofShapes(problem, geometry);
    for (ByPreference<MatmulProblem>& options : shapes)
      for (MatmulProblem& shape : options) {
        if (problem.m == 1) shape.m = 1;
        if (problem.n == 1) shape.n = 1;
      }
    return shapes;
  }

 protected:
  ScheduleGeometry describe(const MatmulProblem& problem, const Schedule& schedule) const override {
    GemvTiling tiling(problem, GemvSchedule::fromSchedule(schedule));
    const GemvSchedule& s = tiling.schedule;
    const BlockGrid& grid = tiling.grid;
    ScheduleGeometry geometry;
    geometry.tile = {grid.bm, grid.bn, grid.bk};
    geometry.threads = tiling.threads;
    geometry.splitK = s.splitK;
    geometry.blocks = grid.blocks();
    geometry.sharedBytes = tiling.sharedBytes();
    geometry.registers = tiling.registerEstimate();
    geometry.bytesMoved =
        operandBytesRead(problem, grid.gridM, grid.gridN) + bytesOfResult(problem, s.reduction, s.splitK);
    geometry.words.blockTile = absl::StrCat(grid.bm, "x", grid.bn, "x", grid.bk);
    geometry.words.threadTile = absl::StrCat(s.pieces * tiling.pieceOut(), "x", s.unroll * tiling.pieceK());
    geometry.words.splitK = absl::StrCat(s.splitK);
    return geometry;
  }
};

}  // namespace

const SpaceFamily& gemvFamily() {
  static const GemvFamily family;
  return family;
}

}  // namespace mmtune
