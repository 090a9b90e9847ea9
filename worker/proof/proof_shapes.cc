#include "worker/proof/proof_shapes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/registry.h"
#include "kernels/families/schedule_fit.h"

namespace mmtune {
namespace {

/// A kernel without k steps still has a loop over k.
constexpr int64_t kSmallestKStep = 8;
/// From here on splits get as many k steps as there are stages only: the problem stays small.
constexpr int64_t kManySplits = 4;

MatmulProblem EvenShape(const MatmulProblem& kind, const Schedule& schedule) {
  const BlockTile tile = blockTileOf(schedule);
  const int64_t splits = schedule.Get("split_k", 1), stages = schedule.Get("stages", 1);
  const int64_t steps = splits > kManySplits ? stages : stages + 2;
  MatmulProblem shape = kind;
  shape.m = tile.m * std::max<int64_t>(2, schedule.Get("group_m", 1));
  shape.n = tile.n * 2;
  shape.k = std::max(tile.k, kSmallestKStep) * steps * splits;
  shape.batch = std::min<int64_t>(kind.batch, 2);
  return shape;
}

/// The largest extent over the middle of the last tile that leaves `remainder` modulo 4: as many tiles as before.
int64_t Shorten(int64_t extent, int64_t tile, int64_t remainder) {
  if (tile < 2) return extent;
  int64_t shorter = extent - tile / 2;
  while (shorter > extent - tile + 1 && (shorter % 4 != remainder || shorter % tile == 0)) --shorter;
  return shorter;
}

MatmulProblem RaggedShape(const MatmulProblem& even, const Schedule& schedule, int64_t remainder) {
  const BlockTile tile = blockTileOf(schedule);
  MatmulProblem shape = even;
  shape.m = Shorten(even.m, tile.m, remainder);
  shape.n = Shorten(even.n, tile.n, remainder);
  shape.k = Shorten(even.k, std::max(tile.k, kSmallestKStep), remainder);
  return shape;
}

}  // namespace

std::vector<MatmulProblem> ProofShapes(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                                       std::string* why) {
  std::vector<MatmulProblem> shapes;
  const MatmulProblem even = EvenShape(problem, schedule);
  absl::Status valid = ValidateSchedule(even, schedule, device);
  if (valid.ok()) {
    shapes.push_back(even);
  } else {
    *why = absl::StrCat(even.Text(), ": ", valid.message());
  }
  for (int64_t remainder : {3, 0}) {
    const MatmulProblem ragged = RaggedShape(even, schedule, remainder);
    if (ragged == even || !ValidateSchedule(ragged, schedule, device).ok()) continue;
    shapes.push_back(ragged);
    break;
  }
  return shapes;
}

}  // namespace mmtune
