// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `mma` family: matmuls on tensor cores by mma.sync, of f16, bf16, and f32 as tf32 or in split precision,
// accumulated in f32; and of s8, accumulated in s32, and f64.
//
// A block computes bm x bn elements of C, a warp wm x wn of them, by instructions of 16 x 8. Tiles of A and B of bk
// values of k are copied to shared memory by cp.async, several stages ahead, and loaded to registers by ldmatrix. On
// sm_75, which has f16 alone, the copies pass through registers.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {
namespace {

using S = MmaSchedule;
using T = MmaTiling;

/// The most threads of a block: with more, a warp has too few registers for a tile that is worth its loads.
constexpr int64_t kMaxThreads = 512;

/// The most accumulators of a thread; fragments and addresses need the rest of 255 registers.
constexpr int64_t kMaxAccumulators = 192;

/// The most mma.sync of the unrolled loop over k: with more the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxInstructions = 512;

/// Chunks that a thread copies for a tile; the copies are unrolled.
constexpr int64_t kMaxChunksPerThread = 64;

/// True if the distance of a thread's rows determines the distance of their k (MmaOperandTile::KOfRow).
bool CopiesRowsInOrder(const MmaOperandTile& tile, int64_t threads) {
  int64_t rows = threads / tile.ChunksFor(threads).perRow;
  return !tile.TransposesBytes() || rows % 16 == 0 || (rows & (rows - 1)) == 0;
}

void AddTypes(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  bool sm80 = device.ComputeCapability() >= 80;
  list.AddFact("elements are f16, bf16, s8 or f64, or f32 with math mode tf32, tf32x3 or bf16x6",
               !problem.IsPlainF32());
  list.AddFact("mma.sync needs sm_80 or newer for these types (f16: sm_75)",
               sm80 || (problem.dtype == DataType::kF16 && device.ComputeCapability() >= 75));
  list.add(&S::async, "async is 1 on sm_80 and newer, 0 on older architectures",
           [sm80](const S& s) { return (s.async != 0) == sm80; });
}

void AddTiles(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  AddGridRules(list, problem);
  list.add(&S::bm, "bm is a multiple of 16", [](const S& s) { return s.bm % 16 == 0; });
  list.add(&S::bn, "bn is a multiple of 8", [](const S& s) { return s.bn % 8 == 0; });
  list.add(&S::wm, "wm is a multiple of 16 that divides bm",
           [](const S& s) { return s.wm % 16 == 0 && s.bm % s.wm == 0; });
  list.add(&S::wn, "wn is a multiple of 8 that divides bn",
           [](const S& s) { return s.wn % 8 == 0 && s.bn % s.wn == 0; });
  list.add(&S::sliceK, "slice_k is 1, 2 or 4", [](const S& s) { return s.sliceK != 3; });
  list.AddTiling(
      &S::sliceK, "a block has at most 512 threads, and no more than the device allows",
      [limit = std::min(kMaxThreads, device.max_threads_per_block)](const T& t) { return t.threads <= limit; });
  list.add(&S::wn, "wn is a multiple of 16 if 8-bit elements of B are transposed",
           [bytes = DataTypeBytes(problem.dtype), plain = !problem.transpose_b](const S& s) {
             return bytes > 1 || !plain || s.wn % 16 == 0;
           });
  list.add(&S::wn, "the warp tile fits the registers (wm*wn <= 6144; f64: 3072)",
           [words = DataTypeBytes(problem.AccumulatorType()) / 4](const S& s) {
             return words * s.wm * s.wn <= 32 * kMaxAccumulators;
           });
  list.AddTiling(&S::bk, "slice_k times an instruction's k divides bk (32 bytes of elements, or of split terms)",
                 [](const T& t) { return t.schedule.bk % (t.fragmentK * t.schedule.sliceK) == 0; });
  list.AddTiling(&S::bk, "the unrolled loop over k has at most 512 mma.sync",
                 [](const T& t) { return t.instructions() <= kMaxInstructions; });
  list.AddTiling(&S::bk, "the chunks of a tile's row divide the number of threads, or the reverse", [](const T& t) {
    return t.a.ChunksFor(t.threads).HaveConstantDistance() && t.b.ChunksFor(t.threads).HaveConstantDistance();
  });
  list.AddTiling(&S::bk, "the rows of 8-bit elements copied at a time are a power of two or a multiple of 16",
                 [](const T& t) { return CopiesRowsInOrder(t.a, t.threads) && CopiesRowsInOrder(t.b, t.threads); });
  list.AddTiling(&S::bk, "a thread copies at most 64 chunks of a tile", [](const T& t) {
    return std::max(t.a.ChunksFor(t.threads).PerThread(), t.b.ChunksFor(t.threads).PerThread()) <= kMaxChunksPerThread;
  });
}

void AddPipeline(MmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddTiling(&S::stages, "stages is at most the number of k steps",
                 [](const T& t) { return t.schedule.stages <= std::max<int64_t>(2, t.grid.tilesPerSplit + 1); });
  AddStageRules(list, problem, device);
  list.AddTiling(&S::prefetch,
                 "prefetch needs at least 2 stages, with at least 2 instructions along k per warp in each",
                 [](const T& t) { return !t.schedule.prefetch || (t.schedule.stages >= 2 && t.stepsK >= 2); });
}

}  // namespace

MmaRules MmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout) {
  MmaRules list(problem, layout);
  AddTypes(list, problem, device);
  AddTiles(list, problem, device);
  AddSplitRules(list, problem, device);
  AddStreamRules(list, device);
  AddPipeline(list, problem, device);
  AddResidencyRules(list, problem, device);
  return list;
}

std::vector<ScheduleConstraint> MmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout) {
  return MmaRulesOf(problem, device, layout).take();
}

namespace {

/// Returns the block tile that covers an extent, at most 256.
int64_t BlockTileLimit(int64_t extent, int64_t smallest) {
  return std::max(smallest, NextPowerOfTwo(std::min<int64_t>(extent, 256)));
}

std::vector<int64_t> TileAxis(int64_t low, int64_t limit) { return AxisWithin({8, 16, 32, 64, 128, 256}, low, limit); }

/// A block tile and a warp tile.
struct Tile {
  int64_t bm, bn, wm, wn;
};

/// Returns the values of `async`, of which a device supports one: only f16 supports devices before sm_80.
std::vector<int64_t> AsyncOf(const MatmulProblem& problem) {
  return problem.dtype == DataType::kF16 ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{1};
}

/// A way of copying tiles to shared memory and fragments to registers.
struct Pipeline {
  int64_t bk, stages, prefetch;
};
/// Returns `bk`, which is for elements of 4 or 2 bytes, scaled to about the same bytes for other types.
int64_t StepOf(const MatmulProblem& problem, int64_t bk) {
  int64_t bytes = DataTypeBytes(problem.dtype);
  return bytes == 1 ? 2 * bk : bytes == 8 ? bk / 2 : bk;
}

Schedule ScheduleOf(const MatmulProblem& problem, const Tile& tile, const Pipeline& pipeline, int64_t async) {
  MmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.wm = tile.wm, s.wn = tile.wn;
  s.async = async;
  s.bk = StepOf(problem, pipeline.bk);
  s.stages = pipeline.stages;
  s.prefetch = pipeline.prefetch;
  return s.ToSchedule();
}

/// Returns the instruction by which products are added, for signatures. Products of split operands are added from zero
/// for each instruction's k, and then to the sum.
std::string_view InstructionOf(const MatmulProblem& problem, const DeviceInfo& device) {
  const bool isSm80 = device.ComputeCapability() >= 80;
  // Before sm_90, ties go away from zero.
  const bool toEven = device.ComputeCapability() >= 90;
  switch (problem.math) {
    case MathMode::kTf32:
      return toEven ? "mma.m16n8k8.tf32.rn" : "mma.m16n8k8.tf32.rna";
    case MathMode::kTf32x3:
      return toEven ? "3 from 0 by mma.m16n8k8.tf32.rn" : "3 from 0 by mma.m16n8k8.tf32.rna";
    case MathMode::kBf16x6:
      return "6 from 0 by mma.m16n8k16.bf16";
    case MathMode::kIeee:
      break;
  }
  if (problem.dtype == DataType::kF64) return "mma.m8n8k4.f64";
  if (problem.dtype == DataType::kBf16) return "mma.m16n8k16.bf16";
  return isSm80 ? "mma.m16n8k16.f16" : "mma.m16n8k8.f16";
}

SummationSignature SignatureOf(const MatmulProblem& problem, const DeviceInfo& device, const int64_t* values,
                               size_t count) {
  const S s = S::FromValues(values, count);
  SummationSignature signature = FusedMultiplyAdds(problem);
  if (problem.AccumulatorType() == DataType::kS32) return signature;
  signature.instruction = TensorInstruction(InstructionOf(problem, device), device);
  AddSlices(problem, s.sliceK, s.bk / s.sliceK, /*shortFirst=*/false, signature);
  const T tiling(problem, s);
  AddParts(problem, tiling.grid, s.reduction, signature);
  // The last block of a tile adds the parts of each slice; else a block has added its slices before.
  signature.partsFirst = s.sliceK > 1 && s.reduction == kOrderedReduction;
  // In split precision, a sum of one instruction is added to the parts before it as if it were in one part with them.
  const bool haveOneInstruction =
      signature.partK <= tiling.fragmentK || problem.k - signature.partK <= tiling.fragmentK;
  if (tiling.split.IsSplit() && signature.slices == 1 && !signature.isAtomic && haveOneInstruction) signature.partK = 0;
  return signature;
}

class MmaFamily final : public TileSharingFamily<MmaSchedule> {
 public:
  int version() const override { return 6; }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return MmaConstraints(problem, device);
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    MmaTiling tiling(problem, MmaSchedule::FromSchedule(schedule));
    return PlanMatmul(problem, kMmaKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
                      tiling.schedule.reduction);
  }

  /// "smem": one tile in shared memory, copied, then multiplied, with a warp tile of one instruction, which uses each
  /// element once (or twice where columns of two instructions are transposed together). "mma.sync": larger warp tiles,
  /// whose registers use each fragment several times. "pipelined": copies and fragments are prefetched.
  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    // The largest tile that the problem fills; small and thin problems get a small one.
    std::vector<Tile> tiles = {{32, 32, 16, 16}, {16, 8, 16, 8}};
    if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 32, 32});
    if (problem.m >= 128 && problem.n >= 128) tiles.insert(tiles.begin(), {128, 128, 64, 32});
    LadderRung shared{"smem", {}}, simple{"mma.sync", {}}, pipelined{"pipelined", {}};
    for (int64_t async : AsyncOf(problem)) {
      for (const Tile& tile : {Tile{32, 32, 16, 8}, Tile{16, 8, 16, 8}, Tile{32, 32, 16, 16}, Tile{16, 16, 16, 16}})
        for (int64_t bk : {32, 16}) shared.schedules.push_back(ScheduleOf(problem, tile, {bk, 1, 0}, async));
      for (const Tile& tile : tiles) {
        for (int64_t bk : {32, 16}) simple.schedules.push_back(ScheduleOf(problem, tile, {bk, 1, 0}, async));
        for (int64_t stages : {4, 3, 2})
          pipelined.schedules.push_back(ScheduleOf(problem, tile, {32, stages, 1}, async));
      }
    }
    return {shared, simple, pipelined};
  }

  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                       const DeviceInfo& device) const override {
    if (problem.IsPlainF32() || !problem.Validate().ok()) return {};
    // The model predicts GPUs: for the SIMT device, one of its architecture.
    DeviceInfo gpu = device;
    gpu.kind = DeviceKind::kCuda;
    return MmaDefaultSchedules(problem, device, Parameters(problem, gpu));
  }

  std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                              const ScheduleGeometry& geometry) const override {
    // The alignment of rows decides which instructions copy and store.
    return AlignedVerificationShapes(problem, geometry);
  }

 protected:
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    // Residency, the order of blocks and latency hardly matter on the SIMT device.
    bool gpu = device.kind == DeviceKind::kCuda;
    int64_t bm = BlockTileLimit(problem.m, 16), bn = BlockTileLimit(problem.n, 8);
    int64_t bytes = DataTypeBytes(problem.dtype), leastK = StepOf(problem, 16);
    // Columns of B of two instructions are transposed together.
    if (bytes == 1 && !problem.transpose_b) bn = std::max<int64_t>(bn, 16);
    // Up to 128 values (256 bytes of s8, 64 values of f64): with more, shared memory does not hold tiles that are worth
    // their copies. Rows of 256 and of 512 bytes are permuted as those of 128 are (MmaOperandTile).
    int64_t bk = NextPowerOfTwo(std::clamp(problem.k, leastK, (bytes >= 4 ? 512 : 256) / bytes));
    return SearchParameters<S>({
        {&S::bm, TileAxis(std::min<int64_t>(bm, 32), bm)},
        {&S::bn, TileAxis(std::min<int64_t>(bn, 32), bn)},
        {&S::wm, TileAxis(bm >= 128 ? 32 : 16, std::min<int64_t>(bm, 128))},
        {&S::wn, TileAxis(bn >= 128 ? 16 : 8, std::min<int64_t>(bn, 128))},
        {&S::sliceK, Values{1, 2, 4}},
        {&S::bk, AxisWithin({8, 16, 32, 64, 128, 256}, leastK, bk)},
        {&S::splitK, gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2, 4}},
        {&S::streamK, StreamAxis(problem, device, kMmaMaxStreamK)},
        {&S::reduction, ReductionAxis(problem)},
        {&S::async, {device.ComputeCapability() >= 80 ? 1 : 0}},
        {&S::stages, gpu ? Values{2, 3, 4, 5, 6} : Values{2, 3}},
        {&S::prefetch, {0, 1}},
        {&S::minBlocks, gpu ? Values{1, 2, 3} : Values{1}},
        {&S::groupM, gpu ? Values{1, 4, 8, 16} : Values{1}},
    });
  }

  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    MmaTiling tiling(problem, MmaSchedule::FromSchedule(schedule));
    const MmaSchedule& s = tiling.schedule;
    ScheduleGeometry geometry = GeometryOf(tiling, tiling.Cost());
    const std::string warps = s.sliceK == 1 ? "warp" : absl::StrCat(s.sliceK, "warps");
    geometry.labels = LabelsOf(tiling, absl::StrCat(s.wm, "x", s.wn, "/", warps));
    return geometry;
  }
};

}  // namespace

FamilySummation GetMmaSummation() { return {FieldIndex(&S::reduction) + 1, SignatureOf}; }

const FamilyBase& GetMmaFamily() {
  static const MmaFamily family;
  return family;
}

}  // namespace mmtune
