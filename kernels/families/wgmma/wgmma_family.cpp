// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `wgmma` family: matmuls on the tensor cores of sm_90a, of f16, bf16, and f32 as tf32, accumulated in f32, and of
// s8, accumulated in s32.
#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

using S = WgmmaSchedule;
using T = WgmmaTiling;

/// The compute capability of sm_90a, the only architecture with wgmma.
constexpr int kHopper = 90;
/// Tensor maps hold distances of rows and matrices, which are multiples of 16 bytes, in 40 bits.
constexpr int64_t kStrideUnit = 16;
constexpr int64_t kMaxStride = int64_t{1} << 40;
/// The units in which L2 fetches: none in particular, 128 bytes or 256 bytes (CU_TENSOR_MAP_L2_PROMOTION_*).
constexpr int64_t kNoPromotion = 0, kPromotion128 = 2, kPromotion256 = 3;

int64_t RowBytesOfA(const MatmulProblem& p) { return (p.transpose_a ? p.m : p.k) * DataTypeBytes(p.dtype); }
int64_t RowBytesOfB(const MatmulProblem& p) { return (p.transpose_b ? p.k : p.n) * DataTypeBytes(p.dtype); }

bool HasAlignedRows(const MatmulProblem& p) {
  return RowBytesOfA(p) % kStrideUnit == 0 && RowBytesOfB(p) % kStrideUnit == 0;
}

bool Is16Bit(const MatmulProblem& p) { return p.dtype == DataType::kF16 || p.dtype == DataType::kBf16; }
bool IsTf32(const MatmulProblem& p) { return p.dtype == DataType::kF32 && p.math == MathMode::kTf32; }
bool IsS8(const MatmulProblem& p) { return p.dtype == DataType::kS8; }
bool HasType(const MatmulProblem& p) { return Is16Bit(p) || IsTf32(p) || IsS8(p); }

/// Returns the unit of the columns of an instruction. Those of s8 may also be 8 or 24, which no schedule has.
int64_t ColumnsUnit(const MatmulProblem& p) { return IsS8(p) ? 16 : 8; }

/// True if operands are stored as wgmma takes elements of their type: of 16 bits in either way, others along k.
bool HasRowsWanted(const MatmulProblem& p) { return Is16Bit(p) || (!p.transpose_a && p.transpose_b); }

void AddTypes(WgmmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddFact("wgmma needs sm_90a, a device of compute capability 9.0", device.ComputeCapability() == kHopper);
  list.AddFact("elements are f16, bf16, s8, or f32 with math mode tf32", HasType(problem));
  list.AddFact(absl::StrCat("wgmma of ", IsS8(problem) ? "s8" : "tf32",
                            " needs rows along k: A as M x K and B as N x K (transpose_b)"),
               HasRowsWanted(problem));
  list.AddFact("rows of A and B are a multiple of 16 bytes, as tensor copies need", HasAlignedRows(problem));
  list.AddFact("a matrix of A or B has less than 2^40 bytes, the limit of tensor copies",
               std::max(problem.m, problem.n) * problem.k * DataTypeBytes(problem.dtype) < kMaxStride);
}

void AddTiles(WgmmaRules& list, const MatmulProblem& problem) {
  constexpr int64_t kMostExtent = 2048;
  list.add(&S::mode, "mode=1 (ping-pong) needs consumers=2",
           [](const S& s) { return s.mode != kPingPong || s.consumers == 2; });
  list.AddFact("indices of C fit 31 bits, beyond a cluster too (m, n < 2^31 - 2048)",
               std::max(problem.m, problem.n) < kMaxCoordinate - kMostExtent);
  const int64_t unit = ColumnsUnit(problem);
  list.add(&S::bn, absl::StrCat("bn is a multiple of ", unit), [unit](const S& s) { return s.bn % unit == 0; });
  list.AddTiling(&S::bn, "the accumulators fit the registers of a consumer (mi*bn/2 + 40)",
                 [](const T& t) { return t.Accumulators() + T::kOtherRegisters <= t.ConsumerRegisters(); });
  // ptxas gives up otherwise (C7602).
  constexpr int64_t kOfInstruction = 26;
  list.AddTiling(&S::bn, "an instruction's accumulators fit the registers at entry (bn/2 + 26)",
                 [](const T& t) { return t.schedule.bn / 2 + kOfInstruction <= t.EntryRegisters(); });
  list.add(&S::bk, "bk is 128 or 256 bytes of elements", [bytes = DataTypeBytes(problem.dtype)](const S& s) {
    return s.bk * bytes == WgmmaOperandTile::kRowBytes || s.bk * bytes == 2 * WgmmaOperandTile::kRowBytes;
  });
}

void AddClusters(WgmmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.add(&S::clusterN, "a cluster has 1, 2 or 4 blocks",
           [](const S& s) { return s.clusterM != 3 && s.clusterN != 3 && s.clusterM * s.clusterN <= 4; });
  // A MIG instance with few multiprocessors may run none of four. A device that reports clusters runs those of two, so
  // a count of those tells that it reported any.
  list.add(&S::clusterN, "a cluster fits the device, which runs none of 4 blocks",
           [none = device.active_clusters_of_2 > 0 && device.active_clusters_of_4 == 0](const S& s) {
             return !none || s.clusterM * s.clusterN < 4;
           });
  list.AddTiling(&S::clusterN, "blocks of a cluster that share a tile each load a multiple of 8 rows of it",
                 [](const T& t) {
                   return t.a.slabRows % (t.a.sharers * WgmmaOperandTile::kPermutedRows) == 0 &&
                          t.b.slabRows % (t.b.sharers * WgmmaOperandTile::kPermutedRows) == 0;
                 });
  list.add(&S::clusterN, "a cluster has a block within C in each row and column", [problem](const S& s) {
    const int64_t consumersOfTile = s.mode == kPingPong ? 1 : s.consumers;
    return 64 * consumersOfTile * s.mi * (s.clusterM - 1) < problem.m && s.bn * (s.clusterN - 1) < problem.n;
  });
}

void AddStores(WgmmaRules& list, const MatmulProblem& problem) {
  list.add(&S::epiColumns, "epi_columns is 0 (direct stores), 16, 32 or 64, and at most bn", [](const S& s) {
    return s.epiColumns == 0 ||
           ((s.epiColumns == 16 || s.epiColumns % 32 == 0) && (s.epiColumns <= s.bn || s.epiColumns == 32));
  });
  list.add(&S::epiBuffers, "epi_columns=16 needs epi_buffers > 0 (stores by tensor copies)",
           [](const S& s) { return s.epiColumns != 16 || s.epiBuffers > 0; });
  list.add(&S::epiBuffers, "epi_buffers > 0 (stores by tensor copies) needs epi_columns > 0 that divide bn",
           [](const S& s) { return s.epiBuffers == 0 || (s.epiColumns > 0 && s.bn % s.epiColumns == 0); });
  list.AddTiling(&S::epiBuffers, "epi_buffers is at most the parts of a consumer's tile (mi*bn/epi_columns)",
                 [](const T& t) {
                   return !t.StoresByCopies() || t.schedule.epiColumns == 0 || t.schedule.epiBuffers <= t.PartsOfTile();
                 });
  list.AddTiling(&S::epiBuffers,
                 "epi_buffers > 0 (stores by tensor copies) needs rows of C, or of the workspace, of a multiple of 16 "
                 "bytes, and matrices of less than 2^40 bytes",
                 [problem](const T& t) {
                   const int64_t rowBytes = problem.n * t.staging.elementBytes;
                   return !t.StoresByCopies() || (rowBytes % kStrideUnit == 0 && problem.m < kMaxStride / rowBytes);
                 });
  list.add(&S::addend, "addend=1 (by tensor copies) needs an addend, epi_buffers > 0 and reduction=0",
           [hasAddend = problem.HasAddend()](const S& s) {
             return s.addend == kAddendByThreads || (hasAddend && s.epiBuffers > 0 && s.reduction == kNoReduction);
           });
}

void AddWork(WgmmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddTiling(&S::splitK, "blocks are fewer than 2^31",
                 [](const T& t) { return t.grid.Tiles() <= kMaxGridX / t.cluster / t.grid.splitK; });
  AddSplitRules(list, problem, device);
  list.add(&S::reduction, "reduction is 0, 2 (workspace) or 3 (ordered)",
           [](const S& s) { return s.reduction != kAtomicReduction; });
  list.AddTiling(&S::stages, "stages is at most the number of k steps of a block's tile, and one",
                 [](const T& t) { return t.schedule.stages <= std::max<int64_t>(2, t.grid.tilesPerSplit + 1); });
  list.add(&S::stages, "k indices fit 31 bits (k + (split_k + stages)*bk < 2^31)",
           [k = problem.k](const S& s) { return k + (s.splitK + s.stages) * s.bk <= kMaxCoordinate; });
  list.AddTiling(
      &S::stages, "stages fit the shared memory of a block",
      [limit = device.shared_bytes_per_block](const T& t) { return t.schedule.stages * t.StageBytes() <= limit; });
  list.AddTiling(
      &S::blocks, "blocks is 0, or a multiple of a cluster and less than there are tiles of C, times split_k",
      [](const T& t) { return t.schedule.blocks % t.cluster == 0 && t.schedule.blocks < t.items() * t.cluster; });
  list.add(&S::blocks, "mode=1 (ping-pong) needs persistent blocks (blocks > 0)",
           [](const S& s) { return s.mode != kPingPong || s.blocks > 0; });
  AddStores(list, problem);
  // Epilogues in registers, and sums of others, take what ptxas would otherwise spill.
  constexpr int64_t kOfStores = T::kOtherRegisters + 24;
  list.AddTiling(
      &S::epiBuffers,
      "with epi_buffers > 0, or blocks > 0 and reduction=3, the accumulators leave 64 registers to a consumer",
      [](const T& t) {
        const bool sums = t.IsPersistent() && t.schedule.reduction == kOrderedReduction;
        return !(sums || t.StoresByCopies()) || t.Accumulators() + kOfStores <= t.ConsumerRegisters();
      });
  list.AddTiling(&S::addend, "stages and rows to store fit the shared memory of a block",
                 [limit = device.shared_bytes_per_block](const T& t) { return t.SharedBytes() <= limit; });
  list.AddTiling(&S::raster, "raster > 0 needs at least two rows and two columns of clusters",
                 [](const T& t) { return t.schedule.raster == kAlongN || std::min(t.grid.gridM, t.grid.gridN) > 1; });
  constexpr uint64_t kLeastSquare = 4;
  list.add(&S::groupM, "raster=2 (Hilbert curve) needs group_m of 4, 8 or another power of two", [](const S& s) {
    const auto side = static_cast<uint64_t>(s.groupM);
    return s.raster != kHilbert || (side >= kLeastSquare && std::has_single_bit(side));
  });
  list.AddTiling(&S::groupM,
                 "group_m > 1 needs at least group_m rows and two columns of clusters; with raster=1 as many columns "
                 "and two rows, with raster=2 as many of both",
                 [](const T& t) {
                   const int64_t group = t.schedule.groupM, raster = t.schedule.raster;
                   const int64_t rows = raster == kAlongM ? 2 : group, columns = raster == kAlongN ? 2 : group;
                   return group == 1 || (rows <= t.grid.gridM && columns <= t.grid.gridN);
                 });
}

}  // namespace

bool WgmmaSupports(const MatmulProblem& problem) {
  return HasType(problem) && HasRowsWanted(problem) && HasAlignedRows(problem);
}

WgmmaRules WgmmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device) {
  WgmmaRules list(problem);
  AddTypes(list, problem, device);
  AddTiles(list, problem);
  AddClusters(list, problem, device);
  AddWork(list, problem, device);
  return list;
}

namespace {

/// Returns what the warpgroups of a block do, for people.
std::string RolesOf(const T& t) {
  const S& s = t.schedule;
  std::string text = absl::StrCat("tile ", t.bm, "x", s.bn, "x", s.bk, "; 1 producer, ", s.consumers,
                                  s.consumers == 1 ? " consumer" : " consumers", " of ", 64 * s.mi, "x", s.bn,
                                  s.mode == kPingPong ? " with a tile each" : "", "; ring of ", s.stages, " stages of ",
                                  t.StageBytes(), " B");
  if (t.MovesRegisters())
    absl::StrAppend(&text, "; ", t.ProducerRegisters(), " and ", t.ConsumerRegisters(), " registers a thread");
  if (t.cluster > 1) absl::StrAppend(&text, "; clusters of ", s.clusterM, "x", s.clusterN);
  if (t.IsPersistent())
    absl::StrAppend(&text, "; ", t.blocks(), " blocks of ", CeilDiv(t.items(), t.clusters()), " tiles at most");
  if (t.StoresByCopies())
    absl::StrAppend(&text, "; ", s.epiBuffers, s.epiBuffers == 1 ? " buffer" : " buffers", " of 64x", s.epiColumns,
                    " a consumer for tensor copies to C", s.addend == kAddendByCopies ? ", and from the addend" : "");
  return text;
}

/// Returns the numbers of blocks worth trying on a GPU, ascending: 0; one for each multiprocessor; as many as run at
/// once in clusters; and the fewest that compute the usual tiles in as many rounds, because multiprocessors without
/// work leave the others a higher clock.
std::vector<int64_t> NumbersOfBlocks(const MatmulProblem& problem, const DeviceInfo& device) {
  constexpr int64_t kMostOfCluster = 4;
  constexpr std::pair<int64_t, int64_t> kUsualTiles[] = {{128, 256}, {256, 128}, {128, 192}, {128, 128}, {256, 192}};
  const int64_t multiprocessors = MultiprocessorsOf(device);
  std::set<int64_t> blocks = {0};
  const auto add = [&](int64_t count) {
    count = std::min(count, multiprocessors);
    if (count > 1) blocks.insert(count);
  };
  add(multiprocessors);
  for (int64_t cluster : {2, 4}) add(static_cast<int64_t>(ClusterMultiprocessors(device, cluster)));
  for (const auto& [bm, bn] : kUsualTiles) {
    const int64_t tiles = CeilDiv(problem.m, bm) * CeilDiv(problem.n, bn) * problem.batch;
    const int64_t rounds = CeilDiv(tiles, multiprocessors);
    add(rounds > 1 ? RoundUp(CeilDiv(tiles, rounds), kMostOfCluster) : 0);
  }
  return {blocks.begin(), blocks.end()};
}

SummationSignature SignatureOf(const MatmulProblem& problem, const DeviceInfo& device, const int64_t* values,
                               size_t count) {
  SummationSignature signature = FusedMultiplyAdds(problem);
  if (IsS8(problem)) return signature;
  const S s = S::FromValues(values, count);
  const std::string_view instruction = problem.dtype == DataType::kF16    ? "wgmma.m64k16.f16"
                                       : problem.dtype == DataType::kBf16 ? "wgmma.m64k16.bf16"
                                                                          : "wgmma.m64k8.tf32.rz";
  signature.instruction = TensorInstruction(instruction, device);
  AddParts(problem, T(problem, s).grid, s.reduction, signature);
  return signature;
}

bool HasSchedules(const MatmulProblem& problem, const DeviceInfo& device) {
  return device.ComputeCapability() == kHopper && problem.Validate().ok() && WgmmaSupports(problem);
}

/// Returns the device as the model sees it, which predicts GPUs: for the SIMT device, one of its architecture.
DeviceInfo GpuLike(DeviceInfo device) {
  device.kind = DeviceKind::kCuda;
  return device;
}

class WgmmaFamily final : public ScheduleFamily<WgmmaSchedule> {
 public:
  int version() const override { return 3; }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return WgmmaRulesOf(problem, device).take();
  }

  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override { return WgmmaLadder(problem); }

  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                       const DeviceInfo& device) const override {
    if (!HasSchedules(problem, device)) return {};
    const DeviceInfo gpu = GpuLike(device);
    ByPreference<Schedule> schedules = WgmmaDefaultSchedules(problem, gpu, Parameters(problem, gpu));
    if (schedules.empty()) return {};
    return {schedules};
  }

  std::vector<Schedule> FirstSchedules(const MatmulProblem& problem, const DeviceInfo& device) const override {
    if (!HasSchedules(problem, device)) return {};
    const DeviceInfo gpu = GpuLike(device);
    return WgmmaFirstSchedules(problem, gpu, Parameters(problem, gpu));
  }

  std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                              const ScheduleGeometry& geometry) const override {
    // The alignment of rows decides whether tensor copies are possible, and which instructions store. The tiles are
    // those of clusters: the ragged shape leaves blocks of a cluster without elements of C.
    ScheduleGeometry clusters = geometry;
    clusters.tile.m *= geometry.clusterM;
    clusters.tile.n *= geometry.clusterN;
    // Two persistent clusters have at least five tiles: one has three of them.
    const bool isPersistent = geometry.blocks < CeilDiv(problem.m, clusters.tile.m) *
                                                    CeilDiv(problem.n, clusters.tile.n) * problem.batch *
                                                    geometry.splitK * geometry.clusterM * geometry.clusterN;
    if (isPersistent && problem.batch == 1 && geometry.splitK == 1)
      clusters.groupM = std::max<int64_t>(3, clusters.groupM);
    std::vector<ByPreference<MatmulProblem>> shapes = AlignedVerificationShapes(problem, clusters);
    // Half a tile of a cluster may be whole tiles of blocks; a part of one less keeps the alignment.
    const int64_t fewerRows = geometry.tile.m / 4;
    const int64_t fewerColumns = geometry.tile.n < 16 ? geometry.tile.n / 2 : geometry.tile.n / 2 / 8 * 8;
    for (size_t i = 1; i < shapes.size(); ++i)
      for (MatmulProblem& shape : shapes[i]) {
        if (geometry.clusterM > 1) shape.m -= fewerRows;
        if (geometry.clusterN > 1) shape.n -= fewerColumns;
      }
    // Where rows of B or C are along n, 8 columns are too few for a last tile with fewer: m and k are ragged alone.
    for (size_t i = 1; i < shapes.size(); ++i) {
      MatmulProblem whole = shapes[i].front();
      whole.n = shapes.front().front().n;
      shapes[i].push_back(whole);
    }
    return shapes;
  }

  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    const bool gpu = device.kind == DeviceKind::kCuda;
    const int64_t row = WgmmaOperandTile::kRowBytes / DataTypeBytes(problem.dtype);
    Values bn;
    const int64_t unit = ColumnsUnit(problem);
    for (int64_t n = unit; n <= std::min<int64_t>(256, RoundUp(problem.n, unit)); n += unit) bn.push_back(n);
    constexpr int64_t kOnSimt = 4;
    // What L2 fetches and keeps matters where it does not hold the operands.
    const bool misses = gpu && !OperandsFitL2(problem, device);
    const Values hints = {kKeepAsUsual, kEvictFirst, kEvictLast};
    const Values blocks = gpu ? NumbersOfBlocks(problem, device) : Values{0, kOnSimt};
    return SearchParameters<S>({
        {&S::consumers, {1, 2, 3}},
        {&S::mode, {kCooperative, kPingPong}},
        {&S::mi, {1, 2}},
        {&S::bn, bn},
        {&S::bk, problem.k > row ? Values{row, 2 * row} : Values{row}},
        {&S::clusterM, {1, 2, 4}},
        {&S::clusterN, {1, 2, 4}},
        {&S::splitK, gpu ? Values{1, 2, 3, 4, 6, 8, 16} : Values{1, 2, 3}},
        {&S::reduction, {kNoReduction, kWorkspaceReduction, kOrderedReduction}},
        {&S::stages, gpu ? Values{2, 3, 4, 5, 6, 7, 8, 9, 10} : Values{2, 3, 4}},
        {&S::inFlight, {0, 1}},
        {&S::blocks, blocks},
        {&S::epiColumns, {0, 16, 32, 64}},
        {&S::epiBuffers, {0, 1, 2}},
        {&S::addend, problem.HasAddend() ? Values{kAddendByThreads, kAddendByCopies} : Values{kAddendByThreads}},
        {&S::raster, {kAlongN, kAlongM, kHilbert}},
        {&S::groupM, gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2}},
        {&S::l2Promotion, misses ? Values{kNoPromotion, kPromotion128, kPromotion256} : Values{kPromotion128}},
        {&S::hintA, misses ? hints : Values{kKeepAsUsual}},
        {&S::hintB, misses ? hints : Values{kKeepAsUsual}},
    });
  }

  /// Returns the reason why the schedule does not support sizes that are known at run time only. Persistent blocks are
  /// launched in a number that the plan has, and curves and groups of columns are made for a number of rows.
  std::string WhyRunTimeSizesUnsupported(const MatmulProblem& problem, const Schedule& schedule,
                                         RunTimeSizes sizes) const override {
    const S s = S::FromSchedule(schedule);
    if (s.splitK > 1) return "its blocks share tiles";
    if (s.blocks > 0) return "its blocks are persistent";
    if (sizes.rows && s.raster != kAlongN) return "the order of its tiles depends on the number of rows";
    if (sizes.rows && problem.transpose_a) return "A is transposed";
    return "";
  }

  /// Returns the schedule with a block for each tile, without split-k.
  Schedule WithWholeTiles(const Schedule& schedule) const override {
    S s = S::FromSchedule(schedule);
    s.splitK = 1;
    s.reduction = kNoReduction;
    s.blocks = 0;
    return s.ToSchedule();
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override;

  std::string Architecture(const DeviceInfo&) const override { return "sm_90a"; }

  /// Serialised products, ignored setmaxnreg and spills make a schedule useless.
  bool FailsOnAssemblerWarnings() const override { return true; }

  /// Returns the schedule with at most two clusters if it has a number of blocks: they have several tiles each of a
  /// small problem then, and go from one to the next but one. Groups have at most 4 rows or columns, which every order
  /// of the tiles walks as it walks larger ones: a curve through 16 tiles turns in every way.
  Schedule VerificationSchedule(const MatmulProblem&, const Schedule& schedule) const override {
    constexpr int64_t kSmallGroup = 4;
    S s = S::FromSchedule(schedule);
    s.blocks = std::min(s.blocks, 2 * s.clusterM * s.clusterN);
    s.groupM = std::min(s.groupM, kSmallGroup);
    return s.ToSchedule();
  }

 protected:
  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    const T t(problem, S::FromSchedule(schedule));
    const S& s = t.schedule;
    ScheduleGeometry geometry = t.Geometry();
    geometry.labels = {absl::StrCat(t.bm, "x", s.bn, "x", s.bk),
                       absl::StrCat(s.consumers, "*", 64 * s.mi, "x", s.bn, "/warpgroup"), absl::StrCat(s.stages),
                       absl::StrCat(s.splitK), RolesOf(t)};
    return geometry;
  }
};

/// `count` row-major matrices, one behind another.
struct Matrices {
  DataType type;
  int64_t rows, columns, count;
};

/// Returns the type of elements in a tensor map, which has no signed bytes.
TensorMapType MapType(DataType type) {
  switch (type) {
    case DataType::kF16:
      return kTensorMapF16;
    case DataType::kBf16:
      return kTensorMapBf16;
    case DataType::kS8:
      return kTensorMapU8;
    case DataType::kS32:
      return kTensorMapS32;
    default:
      return kTensorMapF32;
  }
}

/// Returns the tensor map of matrices. A copy has `boxRows` rows of `boxColumns` elements.
TiledTensorMap MapOf(const Matrices& matrices, int64_t boxRows, int64_t boxColumns) {
  const int64_t rowBytes = matrices.columns * DataTypeBytes(matrices.type);
  TiledTensorMap map;
  map.data_type = MapType(matrices.type);
  map.extents = {static_cast<uint64_t>(matrices.columns), static_cast<uint64_t>(matrices.rows)};
  map.strides_bytes = {static_cast<uint64_t>(rowBytes)};
  map.box = {static_cast<uint32_t>(boxColumns), static_cast<uint32_t>(boxRows)};
  // Matrices are a dimension of their own: what lies beyond one of them is zero, or not stored, and not the next one.
  if (matrices.count > 1) {
    map.extents.push_back(static_cast<uint64_t>(matrices.count));
    map.strides_bytes.push_back(static_cast<uint64_t>(matrices.rows * rowBytes));
    map.box.push_back(1);
  }
  return map;
}

/// Returns the tensor map of A or B, whose matrices have `rows` rows of `columns` elements as they are stored.
TiledTensorMap MapOfOperand(const T& t, const WgmmaOperandTile& tile, int64_t rows, int64_t columns) {
  TiledTensorMap map = MapOf({t.problem.dtype, rows, columns, t.problem.batch}, tile.copyRows, tile.RowElements());
  map.swizzle = kSwizzle128;
  map.l2_promotion = static_cast<int>(t.schedule.l2Promotion);
  return map;
}

/// Returns the tensor map of C, or of the workspace with the partial sums of each split. The addend has the one of C.
TiledTensorMap MapOfResult(const T& t) {
  const MatmulProblem& p = t.problem;
  const int64_t parts = t.schedule.reduction == kWorkspaceReduction ? t.schedule.splitK : 1;
  TiledTensorMap map = MapOf({t.StoredType(), p.m, p.n, parts * p.batch}, WgmmaStaging::kRows, t.staging.RowElements());
  map.swizzle = t.staging.rowBytes == 128 ? kSwizzle128 : t.staging.rowBytes == 64 ? kSwizzle64 : kSwizzle32;
  return map;
}

LaunchPlan WgmmaFamily::MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const {
  const T t(problem, S::FromSchedule(schedule));
  LaunchPlan plan =
      PlanMatmul(problem, kWgmmaKernel, t.GridOfBlocks(), t.threads, t.SharedBytes(), t.schedule.reduction);
  const auto main = std::ranges::find(plan.steps, kWgmmaKernel, &PlanStep::kernel);
  main->grid[0] = static_cast<uint32_t>(t.blocks());
  main->grid[2] = 1;
  main->cluster[0] = static_cast<uint32_t>(t.cluster);
  const auto& p = problem;
  main->arguments[0] = {PlanBuffer::kA, MapOfOperand(t, t.a, p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k)};
  main->arguments[1] = {PlanBuffer::kB, MapOfOperand(t, t.b, p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n)};
  if (t.StoresByCopies()) main->arguments[2].map = MapOfResult(t);
  if (t.schedule.addend == kAddendByCopies) main->arguments[t.AddendArgument()].map = MapOfResult(t);
  for (PlanArgument& argument : main->arguments) {
    if (!argument.map) continue;
    const bool hasRows = argument.buffer == PlanBuffer::kA ? !p.transpose_a : argument.buffer != PlanBuffer::kB;
    if (hasRows) argument.rows_dimension = 1;
    if (p.batch > 1) argument.batch_dimension = 2;
  }
  return plan;
}

}  // namespace

FamilySummation GetWgmmaSummation() { return {FieldIndex(&S::reduction) + 1, SignatureOf}; }

const FamilyBase& GetWgmmaFamily() {
  static const WgmmaFamily family;
  return family;
}

}  // namespace mmtune
