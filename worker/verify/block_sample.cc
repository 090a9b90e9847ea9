// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/block_sample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/split_mix64.h"
#include "proto/base/status.h"
#include "worker/measure/checker.h"
#include "worker/measure/element_types.h"
#include "worker/measure/epilogue_reference.h"
#include "worker/measure/exact_operands.h"
#include "worker/measure/operand_plan.h"
#include "worker/verify/sparse_buffers.h"

namespace mmtune {
namespace {

constexpr uint64_t kMostTiles = 4;
constexpr int64_t kLargestInteger = 4;
/// The standard deviation of sums that a transcendental activation or a clamp is applied to.
constexpr double kTellingDeviation = 2.5;
constexpr int kLargestExponent = 13;  // 2^-13 is a normal number of f16

std::vector<const PlanStep*> Launches(const LaunchPlan& plan) {
  std::vector<const PlanStep*> launches;
  for (const PlanStep& step : plan.steps) {
    if (step.kind == PlanStep::Kind::kLaunch) launches.push_back(&step);
  }
  return launches;
}

/// Returns the blocks that the first launch has if each has one tile, or `parts` blocks have a part of one.
uint64_t BlocksOfTiles(const MatmulProblem& problem, const ScheduleGeometry& geometry, uint64_t parts) {
  const int64_t rows = CeilDiv(problem.m, geometry.tile.m * geometry.clusterM) * geometry.clusterM;
  const int64_t columns = CeilDiv(problem.n, geometry.tile.n * geometry.clusterN) * geometry.clusterN;
  return static_cast<uint64_t>(rows * columns * problem.batch) * parts;
}

/// True if the step zeroes all of C.
bool ClearsC(const PlanStep& step) {
  return step.kind == PlanStep::Kind::kMemset && step.buffer == PlanBuffer::kC && step.bytes == 0;
}

/// Returns the values of the operands, or nullopt if K is too large for exact sums.
std::optional<SparseValues> ValuesFor(const MatmulProblem& problem, bool only_positive) {
  const int64_t products = ExactLimit(problem) / problem.k;
  if (products < 1) return std::nullopt;
  SparseValues values;
  values.only_positive = only_positive;
  while (values.largest < kLargestInteger && (values.largest + 1) * (values.largest + 1) <= products) ++values.largest;
  const bool bends = std::ranges::any_of(problem.epilogue, [](const EpilogueOp& op) {
    return IsTranscendental(op) || op.kind == EpilogueOp::Kind::kClamp;
  });
  if (bends && problem.dtype != DataType::kS8) {
    const double variance = static_cast<double>(values.largest * (values.largest + 1)) / 3;
    const double deviation = variance * std::sqrt(static_cast<double>(problem.k));
    values.exponent = std::clamp(static_cast<int>(std::log2(deviation / kTellingDeviation)), 0, kLargestExponent);
  }
  return values;
}

std::string SampleText(const MatmulProblem& problem, const BlockSample& sample, uint64_t ran, std::string_view note) {
  return absl::StrCat(ran, " of ", sample.in_layer * sample.layers, " blocks of ", problem.Text(),
                      note.empty() ? "" : absl::StrCat(" (", ToAbsl(note), ")"));
}

/// A tile of C by its indices.
struct Tile {
  int64_t matrix, row, column;
  auto operator<=>(const Tile&) const = default;
};

/// The run of one sample, and its comparison. Real is float, or double for problems that NeedsDoubles().
template <typename Real>
class SampleRun {
 public:
  SampleRun(const MatmulProblem& problem, const ScheduleGeometry& geometry, const LaunchPlan& plan, BlockSample sample)
      : problem_(problem),
        tile_(geometry.tile),
        is_stream_k_(geometry.minStepsPerBlock > 0),
        plan_(plan),
        sample_(std::move(sample)) {
    const int64_t tiles = CeilDiv(problem.m, tile_.m) * CeilDiv(problem.n, tile_.n) * problem.batch;
    has_tile_each_ = !is_stream_k_ && tiles == static_cast<int64_t>(sample_.in_layer);
  }

  absl::StatusOr<BlockSampleResult> Run(const CompiledKernel& kernel, const std::string& arch,
                                        const SparseValues& values) {
    simt::SimtOptions options;
    options.arch = arch;
    options.threads = 1;
    options.race_detector = true;
    options.choose_blocks = [this](std::string_view, const LaunchShape& shape) { return Choose(shape); };
    ASSIGN_OR_RETURN(device_, simt::SimtDevice::Create(options));
    auto& simt_device = static_cast<simt::SimtDevice&>(*device_);
    ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device_->LoadModule(kernel.format, kernel.image));
    ASSIGN_OR_RETURN(buffers_, SparseBuffers::Create(&simt_device, problem_, plan_.workspace_bytes, values));
    LaunchPlan plan = plan_;
    if (std::erase_if(plan.steps, ClearsC) > 0) RETURN_IF_ERROR(buffers_->ClearC());
    ASSIGN_OR_RETURN(EnqueueRun enqueue, BindPlan(device_.get(), module.get(), plan, buffers_->memories()));

    BlockSampleResult result;
    absl::Status status = enqueue(0);
    RETURN_IF_ERROR(choice_);
    if (absl::IsResourceExhausted(status)) return status;
    result.findings = simt_device.TakeFindings();
    if (!status.ok()) {
      result.wrong = ToStd(status.message());
    } else if (nothing_to_sum_) {
      result.wrong = "no element of the workspace was written";
    } else {
      ASSIGN_OR_RETURN(result.wrong, Compare());
    }
    const bool has_compared = compared_ > 0 || !result.wrong.empty() || !result.findings.empty();
    result.text = SampleText(problem_, sample_, ran_,
                             has_compared ? "" : "none of them has a tile alone, so that none was compared");
    return result;
  }

 private:
  /// Returns the numbers of the blocks that a launch runs.
  std::vector<uint64_t> Choose(const LaunchShape& shape) {
    std::vector<uint64_t> numbers;
    if (!has_launched_) {
      has_launched_ = true;
      // With clusters, the numbers are those of clusters, and all blocks of a cluster run.
      const uint64_t blocks = uint64_t{shape.cluster[0]} * shape.cluster[1] * shape.cluster[2];
      const uint64_t width = shape.grid[0] / shape.cluster[0], height = shape.grid[1] / shape.cluster[1];
      std::set<uint64_t> columns;
      for (uint64_t column : sample_.columns) {
        const uint64_t x = column % shape.grid[0], y = column / shape.grid[0];
        columns.insert(y / shape.cluster[1] * width + x / shape.cluster[0]);
      }
      for (uint64_t layer = 0; layer < sample_.layers / shape.cluster[2]; ++layer) {
        for (uint64_t column : columns) numbers.push_back(layer * width * height + column);
      }
      ran_ = numbers.size() * blocks;
      has_tile_each_ &= blocks == 1;
      return numbers;
    }
    // The kernel that sums a workspace: its blocks for the first and the last row of each tile.
    absl::StatusOr<std::map<Tile, int64_t>> tiles = WrittenTiles(PlanBuffer::kWorkspace);
    choice_ = tiles.status();
    nothing_to_sum_ = tiles.ok() && tiles->empty();
    if (!choice_.ok() || nothing_to_sum_) return {0};  // Without a number, all blocks would run.
    const int64_t elements = ReductionWidth(problem_) * kSplitReductionThreads;
    std::set<uint64_t> blocks;
    for (const auto& [tile, count] : *tiles) {
      for (int64_t row : {RowOf(tile), EndRowOf(tile) - 1}) {
        const int64_t last = IndexOf(tile, row, EndColumnOf(tile) - 1) / elements;
        for (int64_t block = IndexOf(tile, row, ColumnOf(tile)) / elements; block <= last; ++block)
          blocks.insert(static_cast<uint64_t>(block));
      }
      summed_.insert(tile);
    }
    std::erase_if(blocks, [&](uint64_t block) { return block >= shape.grid[0]; });
    if (blocks.empty()) return {0};
    return std::vector<uint64_t>(blocks.begin(), blocks.end());
  }

  int64_t RowOf(const Tile& tile) const { return tile.row * tile_.m; }
  int64_t ColumnOf(const Tile& tile) const { return tile.column * tile_.n; }
  int64_t EndRowOf(const Tile& tile) const { return std::min(problem_.m, RowOf(tile) + tile_.m); }
  int64_t EndColumnOf(const Tile& tile) const { return std::min(problem_.n, ColumnOf(tile) + tile_.n); }
  int64_t IndexOf(const Tile& tile, int64_t row, int64_t column) const {
    return (tile.matrix * problem_.m + row) * problem_.n + column;
  }

  const char* Bytes(PlanBuffer buffer) const {
    return reinterpret_cast<const char*>(buffers_->memories()[buffer].address);
  }
  size_t ElementBytes(PlanBuffer buffer) const {
    const DataType type = buffer == PlanBuffer::kWorkspace ? problem_.AccumulatorType() : TypeOf(problem_, buffer);
    return static_cast<size_t>(DataTypeBytes(type));
  }
  bool IsWritten(PlanBuffer buffer, int64_t element) const {
    const size_t bytes = ElementBytes(buffer);
    return !buffers_->IsUntouched(buffer, Bytes(buffer) + static_cast<size_t>(element) * bytes, bytes);
  }

  /// Returns the tiles of C, or of the first of the workspace's parts, that have elements that were written, with their
  /// numbers of these.
  absl::StatusOr<std::map<Tile, int64_t>> WrittenTiles(PlanBuffer buffer) const {
    using Ranges = std::vector<std::pair<size_t, size_t>>;
    ASSIGN_OR_RETURN(const Ranges ranges, buffers_->WrittenBytes(buffer));
    const auto bytes = static_cast<int64_t>(ElementBytes(buffer));
    std::map<Tile, int64_t> tiles;
    for (const auto& [begin, end] : ranges) {
      const int64_t last = std::min(static_cast<int64_t>(end) / bytes, problem_.ElementsC());
      for (int64_t element = static_cast<int64_t>(begin) / bytes; element < last; ++element) {
        if (!IsWritten(buffer, element)) continue;
        const int64_t row = element / problem_.n, column = element % problem_.n;
        ++tiles[{row / problem_.m, row % problem_.m / tile_.m, column / tile_.n}];
      }
    }
    return tiles;
  }

  /// Returns what is wrong with C; "" if nothing.
  absl::StatusOr<std::string> Compare() {
    using Tiles = std::map<Tile, int64_t>;
    ASSIGN_OR_RETURN(const Tiles tiles, WrittenTiles(PlanBuffer::kC));
    const size_t written_tiles = summed_.empty() ? tiles.size() : summed_.size();
    if (tiles.empty() && !is_stream_k_) return "no element of C was written";
    if (has_tile_each_ && written_tiles != sample_.columns.size()) {
      return absl::StrCat("the blocks of ", sample_.columns.size(), " tiles wrote ", written_tiles);
    }
    std::string wrong;
    for (const Tile& tile : summed_) {
      for (int64_t row : {RowOf(tile), EndRowOf(tile) - 1}) {
        if (!IsRowWritten(tile, row))
          return Describe(tile, absl::StrCat("has an element of row ", row, " not written"));
      }
      if (wrong = CompareTile(tile); !wrong.empty()) return wrong;
    }
    if (!summed_.empty()) return wrong;
    for (const auto& [tile, written] : tiles) {
      const int64_t elements = (EndRowOf(tile) - RowOf(tile)) * (EndColumnOf(tile) - ColumnOf(tile));
      if (written < elements) {
        return Describe(tile, absl::StrCat("has ", elements - written, " of ", elements, " elements not written"));
      }
      if (wrong = CompareTile(tile); !wrong.empty()) return wrong;
    }
    return wrong;
  }

  bool IsRowWritten(const Tile& tile, int64_t row) const {
    for (int64_t column = ColumnOf(tile); column < EndColumnOf(tile); ++column) {
      if (!IsWritten(PlanBuffer::kC, IndexOf(tile, row, column))) return false;
    }
    return true;
  }

  std::string Describe(const Tile& tile, std::string_view what) const {
    const std::string matrix = problem_.batch > 1 ? absl::StrCat("[", tile.matrix, "]") : "";
    return absl::StrCat("the tile at C", matrix, "[", RowOf(tile), "][", ColumnOf(tile), "] ", ToAbsl(what));
  }

  /// Reads `count` elements of an operand.
  void Read(PlanBuffer buffer, int64_t first, int64_t count, Real* values) const {
    DecodeElements(TypeOf(problem_, buffer), Bytes(buffer) + static_cast<size_t>(first) * ElementBytes(buffer), count,
                   values);
  }

  /// Reads a part of a matrix with `columns` columns, or of its transpose, as a row-major matrix of `m` rows and `n`
  /// columns from (row, column) on.
  void ReadPart(PlanBuffer buffer, int64_t base, bool transposed, int64_t rows, int64_t columns, int64_t row,
                int64_t column, int64_t m, int64_t n, std::vector<Real>* values) const {
    std::vector<Real>& part = *values;
    part.resize(static_cast<size_t>(m * n));
    if (!transposed) {
      for (int64_t i = 0; i < m; ++i)
        Read(buffer, base + (row + i) * columns + column, n, &part[static_cast<size_t>(i * n)]);
      return;
    }
    std::vector<Real> line(static_cast<size_t>(m));
    for (int64_t j = 0; j < n; ++j) {
      Read(buffer, base + (column + j) * rows + row, m, line.data());
      for (int64_t i = 0; i < m; ++i) part[static_cast<size_t>(i * n + j)] = line[static_cast<size_t>(i)];
    }
  }

  /// Compares the elements of a tile that were written.
  std::string CompareTile(const Tile& tile) {
    ++compared_;
    const int64_t row = RowOf(tile), column = ColumnOf(tile), k = problem_.k;
    const int64_t m = EndRowOf(tile) - row, n = EndColumnOf(tile) - column;
    ReadPart(PlanBuffer::kA, tile.matrix * problem_.m * k, problem_.transpose_a, problem_.m, k, row, 0, m, k, &a_);
    ReadPart(PlanBuffer::kB, tile.matrix * k * problem_.n, problem_.transpose_b, k, problem_.n, 0, column, k, n, &b_);
    std::vector<Real> sums(static_cast<size_t>(m * n)), got(static_cast<size_t>(n));
    MultiplyExact(a_.data(), b_.data(), sums.data(), m, n, k);
    for (int64_t i = 0; i < m; ++i) {
      const int64_t first = IndexOf(tile, row + i, column);
      Read(PlanBuffer::kC, first, n, got.data());
      std::string wrong = CompareRow(tile.matrix * problem_.m + row + i, first, column, n,
                                     &sums[static_cast<size_t>(i * n)], got.data());
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  /// Compares the elements of a row that were written with what follows from their sums of products.
  std::string CompareRow(int64_t row, int64_t first, int64_t column, int64_t n, const Real* sums,
                         const Real* got) const {
    std::vector<BoundedValue> elements(static_cast<size_t>(n));
    for (int64_t j = 0; j < n; ++j) elements[static_cast<size_t>(j)].value = double{sums[j]};
    std::vector<Real> operand(static_cast<size_t>(n)), low = operand, high = operand;
    for (const EpilogueOp& op : problem_.epilogue) {
      if (op.kind == EpilogueOp::Kind::kBias) Read(PlanBuffer::kBias, column, n, operand.data());
      if (op.ReadsAddend()) Read(PlanBuffer::kAddend, first, n, operand.data());
      for (int64_t j = 0; j < n; ++j) {
        ApplyStep(op, double{operand[static_cast<size_t>(j)]}, problem_.AccumulatorType(),
                  elements[static_cast<size_t>(j)]);
      }
    }
    for (int64_t j = 0; j < n; ++j) {
      const BoundedValue& element = elements[static_cast<size_t>(j)];
      low[static_cast<size_t>(j)] = static_cast<Real>(element.value - element.bound);
      high[static_cast<size_t>(j)] = static_cast<Real>(element.value + element.bound);
    }
    RoundToType(problem_.TypeOfC(), n, low.data());
    RoundToType(problem_.TypeOfC(), n, high.data());
    for (int64_t j = 0; j < n; ++j) {
      const Real least = low[static_cast<size_t>(j)], most = high[static_cast<size_t>(j)];
      if ((least <= got[j] && got[j] <= most) || !IsWritten(PlanBuffer::kC, first + j)) continue;
      const std::string range = least == most ? "" : absl::StrCat(" to ", most);
      return WrongElement("exact", problem_, row, column + j, double{got[j]}, absl::StrCat("not ", least, range))
          .detail;
    }
    return "";
  }

  const MatmulProblem& problem_;
  const BlockTile tile_;
  const bool is_stream_k_;
  const LaunchPlan& plan_;
  const BlockSample sample_;
  bool has_tile_each_ = false;  ///< Each block of a layer has one tile of C, which is not another one's.
  bool has_launched_ = false;
  uint64_t ran_ = 0;         ///< Blocks of the first launch.
  int64_t compared_ = 0;     ///< Tiles.
  std::vector<Real> a_, b_;  ///< The operands of the tile that is compared; their memory serves for all tiles.
  absl::Status choice_;
  bool nothing_to_sum_ = false;     ///< The second kernel found nothing in the workspace.
  std::set<Tile> summed_;           ///< The tiles of which the second kernel sums some rows.
  std::unique_ptr<Device> device_;  ///< Outlives the buffers.
  std::unique_ptr<SparseBuffers> buffers_;
};

}  // namespace

BlockSample ChooseBlocks(const MatmulProblem& problem, const ScheduleGeometry& geometry, const LaunchPlan& plan) {
  BlockSample sample;
  const std::vector<const PlanStep*> launches = Launches(plan);
  if (launches.empty()) return sample;
  const PlanStep& launch = *launches.front();
  sample.in_layer = uint64_t{launch.grid[0]} * launch.grid[1];
  sample.layers = launch.grid[2];
  for (size_t i = 1; i < launches.size(); ++i) {
    if (launches[i]->kernel == kSplitReductionKernel) continue;
    sample.why_none =
        absl::StrCat("it is not known which blocks of its kernel ", launches[i]->kernel, " belong to a tile");
    return sample;
  }
  // Where the parts of tiles are no layers, the first parts of all tiles come before the second ones.
  const uint64_t parts = geometry.splitK > 1 && sample.layers == 1 ? static_cast<uint64_t>(geometry.splitK) : 1;
  if (parts > 1 && BlocksOfTiles(problem, geometry, parts) != sample.in_layer) {
    sample.why_none = "its blocks have parts of several tiles";
    return sample;
  }
  const uint64_t in_part = sample.in_layer / parts;
  // Neighbours that have a tile to themselves.
  const int64_t neighbors =
      geometry.minStepsPerBlock > 0 ? CeilDiv(problem.k, std::max<int64_t>(geometry.sharedK, 1)) + 1 : 1;
  const uint64_t group = std::min<uint64_t>(static_cast<uint64_t>(neighbors), in_part);
  const double multiply_adds = static_cast<double>(problem.ElementsC()) * static_cast<double>(problem.k) *
                               static_cast<double>(group) / static_cast<double>(in_part);
  if (multiply_adds > static_cast<double>(kMostSampleMultiplyAdds)) {
    sample.why_none = absl::StrCat("the fewest blocks to compare have ", multiply_adds, " multiply-adds; at most ",
                                   kMostSampleMultiplyAdds, " are run");
    return sample;
  }
  const uint64_t groups =
      std::clamp<uint64_t>(static_cast<uint64_t>(kSampleMultiplyAdds / std::max(multiply_adds, 1.0)), 1, kMostTiles);
  SplitMix64 random(problem.m + 31 * problem.n + 961 * problem.k);
  std::set<uint64_t> columns;
  for (uint64_t i = 0; columns.size() < std::min(groups * group, in_part); ++i) {
    const uint64_t last = in_part - group;
    const uint64_t first = i == 0 ? last : i == 1 ? 0 : random.Next() % (last + 1);
    for (uint64_t j = 0; j < group; ++j) columns.insert(first + j);
  }
  for (uint64_t part = 0; part < parts; ++part) {
    for (uint64_t column : columns) sample.columns.push_back(part * in_part + column);
  }
  return sample;
}

absl::StatusOr<BlockSampleResult> RunBlockSample(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                                 const CompiledKernel& kernel, const std::string& arch) {
  BlockSample sample = ChooseBlocks(problem, geometry, kernel.plan);
  const bool clears = std::ranges::any_of(kernel.plan.steps, ClearsC);
  const std::optional<SparseValues> values = ValuesFor(problem, /*only_positive=*/clears);
  if (!values && sample.why_none.empty())
    sample.why_none = absl::StrCat("sums of ", problem.k, " products are not exact");
  BlockSampleResult none;
  none.text = SampleText(problem, sample, 0, sample.why_none);
  if (!sample.why_none.empty()) return none;
  auto run = [&](auto real) -> absl::StatusOr<BlockSampleResult> {
    return SampleRun<decltype(real)>(problem, geometry, kernel.plan, sample).Run(kernel, arch, *values);
  };
  absl::StatusOr<BlockSampleResult> result = NeedsDoubles(problem) ? run(double{}) : run(float{});
  if (absl::IsResourceExhausted(result.status()) || absl::IsUnavailable(result.status())) {
    none.text = SampleText(problem, sample, 0, ToStd(result.status().message()));
    none.has_host_failed = true;
    return none;
  }
  return result;
}

}  // namespace mmtune
