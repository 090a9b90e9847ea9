// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rungs of `wgmma` on the ladder. Each adds to the one before what it is named after:
//
//   wgmma         one consumer multiplies what TMA has copied: two stages, no products in flight
//   specialised   two consumers and four stages; a step stays in flight
//   persistent    at most 128 blocks, each of several tiles, in groups of rows
//   multicast     clusters of two blocks along M, which share the tile of B
//   hilbert       tiles along a Hilbert curve; tensor copies store C
#include <algorithm>
#include <utility>

#include "kernels/families/wgmma/wgmma_schedule.h"

namespace mmtune {
namespace {

using S = WgmmaSchedule;

/// A rung with a tile for every problem: its alternatives are `base` with fewer consumers, columns, stages and blocks,
/// and smaller groups.
ByPreference<Schedule> WithSmallerTiles(const MatmulProblem& problem, const S& base) {
  ByPreference<Schedule> schedules;
  S s = base;
  s.bk = WgmmaOperandTile::kRowBytes / DataTypeBytes(problem.dtype);
  for (s.consumers = base.consumers; s.consumers >= 1; --s.consumers)
    for (int64_t bn : {256, 128, 64, 32, 8})
      for (s.stages = base.stages; s.stages >= 2; --s.stages)
        for (int64_t group : {8, 4, 1}) {
          if (bn > base.bn || group > base.groupM) continue;
          s.bn = bn, s.groupM = group, s.blocks = base.blocks;
          // Fewer blocks than tiles, so that some have several.
          while (s.blocks > 0 && s.blocks >= WgmmaTiling(problem, s).items() * s.clusterM) s.blocks /= 2;
          if (base.blocks == 0 || s.blocks > 0) schedules.push_back(s.ToSchedule());
        }
  return schedules;
}

}  // namespace

std::vector<LadderRung> WgmmaLadder(const MatmulProblem& problem) {
  S simple, specialised;
  simple.consumers = 1, simple.bn = 128, simple.stages = 2, simple.inFlight = 0;
  specialised.consumers = 2, specialised.bn = 256, specialised.stages = 4;
  S persistent = specialised;
  persistent.blocks = 128, persistent.groupM = 8;
  S multicast = persistent;
  multicast.clusterM = 2;
  S hilbert = multicast;
  hilbert.raster = kHilbert, hilbert.epiColumns = 32, hilbert.epiBuffers = 2;
  std::vector<LadderRung> rungs;
  for (const auto& [name, base] :
       {std::pair("wgmma", simple), std::pair("specialised", specialised), std::pair("persistent", persistent),
        std::pair("multicast", multicast), std::pair("hilbert", hilbert)})
    rungs.push_back({name, WithSmallerTiles(problem, base)});
  return rungs;
}

}  // namespace mmtune
