// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/verification_shapes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"

namespace mmtune {
namespace {

/// The k step of kernels without k steps, which have a loop over k too.
constexpr int64_t kSmallestKStep = 8;
/// With more splits than this, each gets only as many k steps as stages, so that the problem stays small.
constexpr int64_t kManySplits = 4;

int64_t KStepOf(const ScheduleGeometry& geometry) { return std::max(geometry.tile.k, kSmallestKStep); }

MatmulProblem EvenShape(const MatmulProblem& kind, const ScheduleGeometry& geometry) {
  int64_t steps = geometry.splitK > kManySplits ? geometry.stages : geometry.stages + 2;
  // Shares begin and end within tiles, and some tiles have parts of three blocks.
  if (geometry.minStepsPerBlock > 0) steps = 2 * geometry.minStepsPerBlock + 1;
  MatmulProblem shape = kind;
  shape.m = geometry.tile.m * std::max<int64_t>(2, geometry.groupM);
  shape.n = geometry.tile.n * std::max<int64_t>(2, geometry.groupN);
  shape.k = KStepOf(geometry) * steps * geometry.splitK;
  shape.batch = std::min<int64_t>(kind.batch, 2);
  return shape;
}

/// Returns a shape where a share has more k steps than a tile: some blocks have a whole tile and parts of its
/// neighbours.
MatmulProblem WholeTileShape(const MatmulProblem& kind, const ScheduleGeometry& geometry) {
  MatmulProblem shape = EvenShape(kind, geometry);
  shape.n = geometry.tile.n * 4;
  shape.k = KStepOf(geometry) * (geometry.minStepsPerBlock - 1);
  return shape;
}

/// Returns the shape from which the ragged one is made.
MatmulProblem ShapeToShorten(const MatmulProblem& kind, const ScheduleGeometry& geometry) {
  return geometry.minStepsPerBlock > 0 ? WholeTileShape(kind, geometry) : EvenShape(kind, geometry);
}

/// Returns the largest extent up to the middle of the last tile with this remainder modulo 4; the number of tiles
/// stays.
int64_t Shorten(int64_t extent, int64_t tile, int64_t remainder) {
  if (tile < 2) return extent;
  int64_t shorter = extent - tile / 2;
  while (shorter > extent - tile + 1 && (shorter % 4 != remainder || shorter % tile == 0)) --shorter;
  return shorter;
}

MatmulProblem RaggedShape(const MatmulProblem& longer, const ScheduleGeometry& geometry, int64_t remainder) {
  MatmulProblem shape = longer;
  shape.m = Shorten(longer.m, geometry.tile.m, remainder);
  shape.n = Shorten(longer.n, geometry.tile.n, remainder);
  shape.k = Shorten(longer.k, KStepOf(geometry), remainder);
  return shape;
}

/// Returns the elements of a widest access, at least eight, so that types do not differ in their shapes without need.
int64_t WidestChunk(DataType type) { return std::max<int64_t>(8, kWidestAccess / DataTypeBytes(type)); }

/// Returns the largest extent up to the middle of its last tile with the remainder of `kind` modulo `chunk`; the middle
/// itself where a tile is too small for that.
int64_t RaggedLike(int64_t kind, int64_t extent, int64_t tile, int64_t chunk) {
  int64_t middle = extent - tile / 2;
  for (int64_t shorter = middle; shorter > extent - tile; --shorter)
    if (shorter % chunk == kind % chunk) return shorter;
  return middle;
}

/// True if blocks of stream-k share a tile; else shares are whole tiles, and no parts are counted or added.
bool SharesTiles(const MatmulProblem& shape, const ScheduleGeometry& geometry) {
  int64_t tiles = CeilDiv(shape.m, geometry.tile.m) * CeilDiv(shape.n, geometry.tile.n) * shape.batch;
  return tiles % geometry.blocks != 0 && shape.k > geometry.tile.k;
}

/// Returns shapes where blocks of stream-k share a tile: up to one more row or column of tiles, both, or one more
/// matrix of a batch. Neighbouring numbers have no common divisor, so one of these will share. A tile that is larger
/// than the matrix stays so, because its code differs from that of tiles that overlap: where both extents are smaller
/// than the tile, k is made long enough for two blocks.
ByPreference<MatmulProblem> WithSharedTiles(const FamilyBase& family, const MatmulProblem& shape,
                                            const Schedule& schedule) {
  ByPreference<MatmulProblem> shared;
  absl::StatusOr<ScheduleGeometry> geometry = family.Describe(shape, schedule);
  if (!geometry.ok()) return shared;
  const BlockTile tile = geometry->tile;
  const int64_t longer = 2 * geometry->minStepsPerBlock * KStepOf(*geometry);
  const int64_t mostRows = shape.m < tile.m ? 0 : 1, mostColumns = shape.n < tile.n ? 0 : 1;
  for (int64_t k : {shape.k, shape.k + longer})
    for (int64_t matrices = 0; matrices <= (shape.batch > 1 ? 1 : 0); ++matrices)
      for (int64_t rows = 0; rows <= mostRows; ++rows)
        for (int64_t columns = 0; columns <= mostColumns; ++columns) {
          MatmulProblem larger = shape;
          larger.batch += matrices;
          larger.m += rows * tile.m;
          larger.n += columns * tile.n;
          larger.k = k;
          geometry = family.Describe(larger, schedule);
          if (geometry.ok() && SharesTiles(larger, *geometry)) shared.push_back(larger);
        }
  return shared;
}

}  // namespace

std::vector<ByPreference<MatmulProblem>> TiledVerificationShapes(const MatmulProblem& problem,
                                                                 const ScheduleGeometry& geometry) {
  MatmulProblem even = EvenShape(problem, geometry);
  MatmulProblem longer = ShapeToShorten(problem, geometry);
  return {{even}, {RaggedShape(longer, geometry, 3), RaggedShape(longer, geometry, 0)}};
}

std::vector<ByPreference<MatmulProblem>> AlignedVerificationShapes(const MatmulProblem& problem,
                                                                   const ScheduleGeometry& geometry) {
  std::vector<ByPreference<MatmulProblem>> shapes = TiledVerificationShapes(problem, geometry);
  MatmulProblem ragged = ShapeToShorten(problem, geometry);
  const int64_t chunk = WidestChunk(problem.dtype);
  ragged.m = RaggedLike(problem.m, ragged.m, geometry.tile.m, chunk);
  ragged.n = RaggedLike(problem.n, ragged.n, geometry.tile.n, chunk);
  ragged.k = RaggedLike(problem.k, ragged.k, geometry.tile.k, chunk);
  shapes.back().insert(shapes.back().begin(), ragged);
  return shapes;
}

std::vector<MatmulProblem> VerificationShapes(const MatmulProblem& problem, const Schedule& schedule,
                                              const DeviceInfo& device, std::string* why) {
  absl::StatusOr<const FamilyBase*> family = FindKernelFamily(schedule.family);
  absl::StatusOr<ScheduleGeometry> geometry = family.ok() ? (*family)->Describe(problem, schedule) : family.status();
  if (!geometry.ok()) {
    *why = std::string(geometry.status().message());
    return {};
  }
  std::vector<MatmulProblem> shapes;
  std::string forbidden;
  for (const ByPreference<MatmulProblem>& like : (*family)->VerificationShapes(problem, *geometry)) {
    ByPreference<MatmulProblem> options = like;
    if (geometry->minStepsPerBlock > 0) {
      options.clear();
      for (const MatmulProblem& shape : like)
        for (const MatmulProblem& shared : WithSharedTiles(**family, shape, schedule)) options.push_back(shared);
      if (options.empty()) forbidden = "stream_k shares no tile of a small problem";
    }
    for (const MatmulProblem& shape : options) {
      if (std::find(shapes.begin(), shapes.end(), shape) != shapes.end()) continue;
      absl::Status valid = (*family)->Validate(shape, schedule, device);
      if (valid.ok()) {
        shapes.push_back(shape);
        break;
      }
      if (forbidden.empty()) forbidden = absl::StrCat(shape.Text(), ": ", valid.message());
    }
  }
  if (shapes.empty()) *why = forbidden;
  return shapes;
}

}  // namespace mmtune
