// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `gemv` family: a matrix times a vector, for problems of one row or one column of C, bound by the bandwidth of the
// matrix.
//
// Every element of the matrix is read once, in long runs of 16 bytes a lane, straight to registers. Lanes and warps
// share k, and their sums are added by shuffles and through shared memory. Splits of k fill the device where outputs
// are few.
#include "kernels/families/gemv/gemv_family.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

bool IsColumn(const MatmulProblem& problem) { return problem.n == 1 && problem.m != 1; }

/// True if rows of the matrix run along k. A matrix of one row or column has its elements along k, however it is
/// stored.
bool RunsAlongK(const MatmulProblem& problem) {
  if (problem.m == 1 && problem.n == 1) return true;
  return IsColumn(problem) ? !problem.transpose_a : problem.transpose_b;
}

/// Returns how many of `elements` in an operand's only row can be moved at once.
int64_t AlignmentOfOneRow(OperandLayout layout, int64_t elements) {
  layout.rowStride = 0;
  return RowAlignment(layout, elements);
}

BlockGrid GridOf(const MatmulProblem& problem, const GemvTiling& tiling) {
  int64_t bm = tiling.matrixIsA ? tiling.BlockOutputs() : 1, bn = tiling.matrixIsA ? 1 : tiling.BlockOutputs();
  const GemvSchedule& s = tiling.schedule;
  return BlockGrid(problem, bm, bn, s.unroll * tiling.StrideK(), s.splitK, /*groupM=*/1);
}

}  // namespace

GemvTiling::GemvTiling(const MatmulProblem& problem, const GemvSchedule& s, const MatmulLayout& layout)
    : problem(problem),
      schedule(s),
      matrixIsA(IsColumn(problem)),
      outputs(matrixIsA ? problem.m : problem.n),
      rowsAlongK(RunsAlongK(problem)),
      rowElements(rowsAlongK ? problem.k : outputs),
      width(std::gcd(rowElements, kWidestAccess / DataTypeBytes(problem.dtype))),
      lanesOut(32 / s.lanesK),
      threads(32 * s.warpsOut * s.warpsK),
      grid(GridOf(problem, *this)) {
  const OperandLayout& matrix = matrixIsA ? layout.a : layout.b;
  const OperandLayout& vector = matrixIsA ? layout.b : layout.a;
  rowStride = layout.any() ? matrix.rowStride : rowElements;
  loadMatrix = RowAlignment(matrix, width);
  const bool vectorIsRow = matrixIsA ? problem.transpose_b : !problem.transpose_a;
  vectorStride = layout.any() && !vectorIsRow ? vector.rowStride : 1;
  loadVector = vectorStride == 1 ? AlignmentOfOneRow(vector, ChunkK()) : 1;

  int64_t bytesC = s.reduction == kWorkspaceReduction ? 4 : DataTypeBytes(problem.TypeOfC());
  storeC = std::min(ChunkOut(), kWidestAccess / bytesC);
  strideC = layout.any() && matrixIsA ? layout.c.rowStride : 1;
  storeC = strideC == 1 ? AlignmentOfOneRow(layout.c, storeC) : 1;
  // Rows of C share an element of the bias.
  if (matrixIsA && problem.HasBias()) storeC = 1;
}

int64_t GemvTiling::RunBytes() const {
  return (rowsAlongK ? schedule.lanesK : lanesOut) * width * DataTypeBytes(problem.dtype);
}

int64_t GemvTiling::RegisterEstimate() const {
  const GemvSchedule& s = schedule;
  int64_t words = CeilDiv(width * DataTypeBytes(problem.dtype), 4);
  int64_t sums = s.pieces * ChunkOut();
  int64_t loaded = s.pieces * s.unroll * words + s.unroll * (rowsAlongK ? words : 1);
  // A chunk of 16-bit elements of the matrix and one of the vector, as floats.
  int64_t converted = DataTypeBytes(problem.dtype) == 4 ? 0 : 2 * width;
  int64_t addresses = 30 + 2 * s.pieces;
  return sums + loaded + converted + addresses;
}

LoopCost GemvTiling::Cost() const {
  const GemvSchedule& s = schedule;
  constexpr double kLoopInstructions = 20, kWavefrontBytes = 128;
  auto chunks = static_cast<double>(s.pieces * s.unroll);
  LoopCost cost;
  cost.steps = static_cast<double>(grid.tilesPerSplit);
  cost.multiplyAdds = 32 * chunks * static_cast<double>(width);
  // Elements of 16 bits are converted.
  double perElement = DataTypeBytes(problem.dtype) == 4 ? 1 : 2;
  cost.instructions =
      chunks + static_cast<double>(s.unroll) + chunks * static_cast<double>(width) * perElement + kLoopInstructions;
  // A run shorter than a sector loads the whole sector.
  const double sectors = std::max(1.0, static_cast<double>(kSectorBytes) / static_cast<double>(RunBytes()));
  cost.bytes =
      (static_cast<double>(BlockOutputs()) * sectors + 1) * static_cast<double>(grid.bk * DataTypeBytes(problem.dtype));
  cost.wavefronts = cost.bytes / kWavefrontBytes;
  cost.latency = kGlobalLatency;
  return cost;
}

namespace {

/// Chunks of the unrolled loop: with more the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxUnrolledChunks = 64;

/// More threads do not fill a multiprocessor better.
constexpr int64_t kMaxThreads = 1024;

/// The least k values of a split that is worth a second kernel; a judgement.
constexpr int64_t kLeastSplit = 512;

bool MultipliesItsTypes(const MatmulProblem& problem) {
  return problem.AccumulatorType() == DataType::kF32 && problem.math == MathMode::kIeee;
}

using RuleList = ConstraintList<GemvSchedule, GemvTiling>;

void AddStructure(RuleList& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = GemvSchedule;
  using T = GemvTiling;
  list.AddFact("C has one row or one column (m or n is 1)", IsMatrixVector(problem));
  list.AddFact("elements are f32, f16 or bf16, and the math mode is ieee", MultipliesItsTypes(problem));
  list.add(&S::lanesK, "lanes_k divides 32", [](const S& s) { return 32 % s.lanesK == 0; });
  list.AddTiling(&S::pieces, "no chunk of a thread is completely beyond the outputs",
                 [](const T& t) { return (t.schedule.pieces - 1) * t.lanesOut * t.ChunkOut() < t.outputs; });
  list.AddTiling(&S::warpsOut, "no warp of a block is completely beyond the outputs",
                 [](const T& t) { return (t.schedule.warpsOut - 1) * t.WarpOutputs() < t.outputs; });
  list.AddTiling(&S::warpsOut, "output indices fit 31 bits",
                 [](const T& t) { return t.outputs + t.BlockOutputs() <= kMaxCoordinate; });
  list.AddTiling(&S::warpsOut, "block tiles of C are fewer than 2^31",
                 [](const T& t) { return t.grid.BlocksPerMatrix() * t.grid.batch <= kMaxGridX; });
  list.AddTiling(
      &S::warpsK, "a block has at most 1024 threads, and no more than the device allows",
      [limit = std::min(kMaxThreads, device.max_threads_per_block)](const T& t) { return t.threads <= limit; });
  list.AddTiling(&S::warpsK, "the sums of warps fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.SharedBytes() <= limit; });
  list.AddTiling(&S::unroll, "a thread loads at most 64 chunks at once (pieces*unroll)",
                 [](const T& t) { return t.schedule.pieces * t.schedule.unroll <= kMaxUnrolledChunks; });
  list.AddTiling(&S::unroll, "no warp and no chunk is completely beyond k",
                 [](const T& t) { return t.grid.bk - t.schedule.lanesK * t.ChunkK() < t.problem.k; });
  list.AddTiling(&S::unroll, "the estimated registers fit without spills",
                 [device](const T& t) { return t.RegisterEstimate() <= RegisterLimit(device, t.threads, 1); });
  list.AddTiling(&S::splitK, "k indices fit 31 bits",
                 [](const T& t) { return t.problem.k + (t.schedule.splitK + 1) * t.grid.bk <= kMaxCoordinate; });
}

Schedule ScheduleOf(int64_t lanesK, int64_t pieces, int64_t warpsOut, int64_t warpsK, int64_t unroll, int64_t splitK) {
  int64_t reduction = splitK > 1 ? kWorkspaceReduction : kNoReduction;
  return GemvSchedule{{}, lanesK, pieces, warpsOut, warpsK, unroll, splitK, reduction}.ToSchedule();
}

/// Returns the powers of two within [low, high].
std::vector<int64_t> LanesAxis(int64_t low, int64_t high) { return AxisWithin({1, 2, 4, 8, 16, 32}, low, high); }

class GemvFamily final : public ScheduleFamily<GemvSchedule> {
 public:
  int version() const override { return 3; }
  bool IsSpecializedFor(const MatmulProblem& problem) const override {
    return IsMatrixVector(problem) && MultipliesItsTypes(problem);
  }
  bool SearchedByDefault(const MatmulProblem& problem) const override { return IsSpecializedFor(problem); }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    RuleList list(problem);
    AddStructure(list, problem, device);
    AddSplitRules(list, problem, device);
    return list.take();
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    GemvTiling tiling(problem, GemvSchedule::FromSchedule(schedule));
    return PlanMatmul(problem, kGemvKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
                      tiling.schedule.reduction);
  }

  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    ByPreference<Schedule> schedules;
    for (const ByPreference<Schedule>& byUnroll : DefaultSchedules(problem, {}))
      schedules.insert(schedules.end(), byUnroll.begin(), byUnroll.end());
    return {{"matrix-vector", schedules}};
  }

  /// Where rows run along k, each warp takes a few rows; else warps share the rows of k. Lanes load whole sectors, but
  /// for a single lane along k, which is always valid. k is split as far as the splits stay long.
  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem, const DeviceInfo&) const override {
    struct Shape {
      int64_t lanesK, pieces, warpsOut, warpsK;
    };
    constexpr Shape kAlongK[] = {{32, 4, 4, 1}, {32, 1, 4, 1}, {32, 1, 1, 8}, {8, 1, 4, 1}, {1, 1, 1, 1}};
    constexpr Shape kAlongOutputs[] = {{1, 1, 1, 8}, {4, 1, 1, 8}, {16, 1, 1, 4}, {1, 1, 1, 1}};
    std::vector<Shape> shapes(std::begin(kAlongOutputs), std::end(kAlongOutputs));
    if (GemvTiling(problem, {}).rowsAlongK) shapes.assign(std::begin(kAlongK), std::end(kAlongK));
    std::vector<ByPreference<Schedule>> all;
    for (int64_t splitK : {1, 2, 4, 8, 16, 32}) {
      if (splitK > 1 && problem.k < splitK * kLeastSplit) break;
      for (const Shape& shape : shapes) {
        GemvSchedule lanes;
        lanes.lanesK = shape.lanesK;
        if (shape.lanesK > 1 && GemvTiling(problem, lanes).RunBytes() < kSectorBytes) continue;
        ByPreference<Schedule>& schedules = all.emplace_back();
        for (int64_t unroll : {4, 2, 1})
          schedules.push_back(ScheduleOf(shape.lanesK, shape.pieces, shape.warpsOut, shape.warpsK, unroll, splitK));
      }
    }
    return all;
  }

  std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                              const ScheduleGeometry& geometry) const override {
    std::vector<ByPreference<MatmulProblem>> shapes = AlignedVerificationShapes(problem, geometry);
    for (ByPreference<MatmulProblem>& options : shapes)
      for (MatmulProblem& shape : options) {
        if (problem.m == 1) shape.m = 1;
        if (problem.n == 1) shape.n = 1;
      }
    return shapes;
  }

 protected:
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    bool gpu = device.kind == DeviceKind::kCuda;
    GemvTiling tiling(problem, {});
    // The search tries as many lanes along the rows of the matrix as a row has chunks, and along the other extent a few
    // more.
    int64_t rowChunks = NextPowerOfTwo(std::min<int64_t>(32, CeilDiv(tiling.rowElements, tiling.width)));
    Values lanesK = tiling.rowsAlongK ? LanesAxis(std::min<int64_t>(rowChunks, 8), rowChunks)
                                      : LanesAxis(32 / rowChunks, std::min<int64_t>(32, 128 / rowChunks));
    using S = GemvSchedule;
    return SearchParameters<S>({
        {&S::lanesK, lanesK},
        {&S::pieces, tiling.rowsAlongK ? Values{1, 2, 4, 8} : Values{1, 2}},
        {&S::warpsOut, {1, 2, 4, 8}},
        {&S::warpsK, {1, 2, 4, 8, 16}},
        {&S::unroll, {1, 2, 4, 8}},
        {&S::splitK, gpu ? Values{1, 2, 4, 8, 16, 32} : Values{1, 2, 4}},
        {&S::reduction, SplitReductions(problem)},
    });
  }

  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    GemvTiling tiling(problem, GemvSchedule::FromSchedule(schedule));
    const GemvSchedule& s = tiling.schedule;
    const BlockGrid& grid = tiling.grid;
    ScheduleGeometry geometry;
    geometry.tile = {grid.bm, grid.bn, grid.bk};
    geometry.threads = tiling.threads;
    geometry.splitK = s.splitK;
    geometry.sharedK = grid.SharedK();
    geometry.blocks = grid.blocks();
    geometry.sharedBytes = tiling.SharedBytes();
    geometry.registers = tiling.RegisterEstimate();
    geometry.bytesMoved = OperandBytesRead(problem, grid.gridM, grid.gridN) + BytesOfResult(problem, grid, s.reduction);
    geometry.loop = tiling.Cost();
    geometry.reduction = CostOfReduction(problem, grid, s.reduction, tiling.storeC);
    geometry.labels.blockTile = absl::StrCat(grid.bm, "x", grid.bn, "x", grid.bk);
    geometry.labels.threadTile = absl::StrCat(s.pieces * tiling.ChunkOut(), "x", s.unroll * tiling.ChunkK());
    geometry.labels.splitK = absl::StrCat(s.splitK);
    return geometry;
  }
};

SummationSignature SignatureOf(const MatmulProblem& problem, const DeviceInfo&, const int64_t* values, size_t count) {
  const GemvTiling tiling(problem, GemvSchedule::FromValues(values, count));
  const GemvSchedule& s = tiling.schedule;
  SummationSignature signature = FusedMultiplyAdds(problem);
  if (s.lanesK * s.warpsK > 1) {
    signature.lanes = s.lanesK;
    signature.slices = s.warpsK;
    signature.chunk = tiling.ChunkK();
    // A row has no such sums in problems of more rows. Those of a column depend on how A is stored, if M is 1.
    signature.isForAnyRows = tiling.matrixIsA && tiling.rowsAlongK;
  }
  AddParts(problem, tiling.grid, s.reduction, signature);
  return signature;
}

}  // namespace

FamilySummation GetGemvSummation() { return {FieldIndex(&GemvSchedule::reduction) + 1, SignatureOf}; }

const FamilyBase& GetGemvFamily() {
  static const GemvFamily family;
  return family;
}

}  // namespace mmtune
