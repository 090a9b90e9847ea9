// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_defaults.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "kernels/families/fma_cost.h"
#include "kernels/families/time_model.h"

namespace mmtune {
namespace {

struct ThreadTile {
  int64_t tm, tn;
};
/// From large to small: what a thread keeps in registers saves reads of shared memory.
constexpr ThreadTile kThreadTiles[] = {{8, 16}, {16, 8}, {8, 8}, {8, 4}, {4, 8}, {4, 4}, {4, 2},
                                       {2, 4},  {2, 2},  {1, 4}, {4, 1}, {1, 2}, {2, 1}, {1, 1}};
/// Thread tiles that are considered for a block tile, and for one of at most so many elements.
constexpr int kThreadTilesPerBlock = 3, kThreadTilesPerSmallBlock = 6;
constexpr int64_t kSmallBlock = 1024;

/// Block tiles of which the best schedule is improved.
constexpr size_t kStarts = 8;
/// What is less faster than that is no improvement.
constexpr double kGain = 0.001;
/// Atomics have to be so much faster: they sum in another order, and to other bits, every time.
constexpr double kAtomicsCost = 1.02;

/// k values that a split has at least; a judgement.
constexpr int64_t kLeastSplit = 32;
/// Operands above this many elements are larger than the part of an L2 that keeps them, of some device.
constexpr int64_t kFitsCache = int64_t{1} << 19;

/// How tiles get to shared memory.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[] = {{1, 3}, {1, 2}, {0, 2}, {0, 1}};

/// Multiply-adds of a thread in a loop of 18 KB, which an instruction cache holds.
constexpr int64_t kMostUnrolled = 1024;
constexpr int64_t kShortK = 128;

bool IsAmong(const std::vector<int64_t>& axis, int64_t value) { return std::ranges::find(axis, value) != axis.end(); }

int64_t MostUnrolled(const MatmulProblem& problem) {
  // Of a short k, every step's latency counts, and the loop runs a few times only.
  return problem.k <= kShortK ? 2 * kMostUnrolled : kMostUnrolled;
}

/// The k step with that loop, as far as k has so many values.
int64_t LongestStep(const MatmulProblem& problem, const FmaSchedule& s) {
  int64_t most = std::clamp<int64_t>(MostUnrolled(problem) / (s.tm * s.tn), 8, 32);
  return std::min(most, NextPowerOfTwo(std::max<int64_t>(problem.k, 4)));
}

/// Lanes of a warp along M so that warps fit the block tile, as square as `axis` has them; 0 where none do.
int64_t LanesFor(int64_t bm, int64_t bn, const ThreadTile& tile, const std::vector<int64_t>& axis) {
  for (int64_t lm : {4, 8, 2, 16, 1, 32})
    if (IsAmong(axis, lm) && bm % (lm * tile.tm) == 0 && bn % (32 / lm * tile.tn) == 0) return lm;
  return 0;
}

/// Rows of blocks that walk together: what a wave of blocks reads is least where it is nearly square.
int64_t GroupFor(const MatmulProblem& problem, int64_t bm, int64_t bn) {
  if (problem.k * (problem.m + problem.n) <= kFitsCache || problem.n <= bn) return 1;
  for (int64_t group : {8, 4})
    if (CeilDiv(problem.m, bm) >= group) return group;
  return 1;
}

/// How blocks share tiles of C.
struct Sharing {
  int64_t splitK, streamK, reduction;

  void SetIn(FmaSchedule& s) const { s.splitK = splitK, s.streamK = streamK, s.reduction = reduction; }
};

std::vector<Sharing> SharingsOf(const std::vector<ScheduleParameter>& axes) {
  std::vector<Sharing> all = {{1, 1, kNoReduction}};
  for (int64_t splits : axes[kFmaSplitK].values)
    for (int64_t reduction : axes[kFmaReduction].values)
      if (splits > 1 && reduction != kNoReduction) all.push_back({splits, 1, reduction});
  for (int64_t blocks : axes[kFmaStreamK].values)
    if (blocks > 1) all.push_back({1, blocks, kOrderedReduction});
  return all;
}

struct Timed {
  FmaSchedule schedule;
  double seconds = std::numeric_limits<double>::infinity();
};

/// The valid schedules of a problem on a device, by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem),
        device(device),
        axes(axes),
        sharings(SharingsOf(axes)),
        constraints(FmaConstraints(problem, device)) {}

  /// The best schedule of each of a few block tiles, the fastest first.
  std::vector<Timed> Starts() const {
    std::vector<Timed> starts;
    for (int64_t bm : Axis(kFmaBm))
      for (int64_t bn : Axis(kFmaBn)) {
        Timed best;
        int taken = 0;
        for (const ThreadTile& tile : kThreadTiles) {
          FmaSchedule s;
          s.bm = bm, s.bn = bn, s.tm = tile.tm, s.tn = tile.tn;
          if (!IsAmong(Axis(kFmaTm), tile.tm) || !IsAmong(Axis(kFmaTn), tile.tn)) continue;
          s.lm = LanesFor(bm, bn, tile, Axis(kFmaLm));
          if (s.lm == 0) continue;
          if (++taken > (bm * bn <= kSmallBlock ? kThreadTilesPerSmallBlock : kThreadTilesPerBlock)) break;
          s.groupM = GroupFor(problem, bm, bn);
          ConsiderSplits(s, best);
        }
        if (best.seconds < std::numeric_limits<double>::infinity()) starts.push_back(best);
      }
    std::ranges::stable_sort(starts, {}, &Timed::seconds);
    if (starts.size() > kStarts) starts.resize(kStarts);
    return starts;
  }

  /// In turn all tiles, all ways of copying and all splits, until none of them helps.
  Timed Improved(Timed best) const {
    for (double before = std::numeric_limits<double>::infinity(); best.seconds < (1 - kGain) * before;) {
      before = best.seconds;
      TryTiles(best);
      TryCopies(best);
      TrySplits(best);
    }
    return best;
  }

 private:
  const std::vector<int64_t>& Axis(FmaParameter parameter) const { return axes[parameter].values; }

  bool IsValid(const FmaSchedule& s) const {
    std::array<int64_t, kFmaParameterCount> values;
    for (size_t i = 0; i < values.size(); ++i) values[i] = s.*FmaSchedule::fields()[i].member;
    return std::ranges::all_of(constraints, [&](const ScheduleConstraint& rule) { return rule.holds(values.data()); });
  }

  /// Makes it the best one if it is, and says whether it is valid.
  bool Consider(const FmaSchedule& s, Timed& best) const {
    if (!IsValid(s)) return false;
    double seconds = PredictTime(problem, FmaGeometry(FmaTiling(problem, s)), device).total;
    if (s.reduction == kAtomicReduction) seconds *= kAtomicsCost;
    if (seconds < (1 - kGain) * best.seconds) best = {s, seconds};
    return true;
  }

  void ConsiderSplits(FmaSchedule s, Timed& best) const {
    s.fragments = 2;
    s.kmajorA = 1;
    // Of what is transposed on its way.
    s.padA = problem.transpose_a ? 0 : 4;
    s.padB = problem.transpose_b ? 4 : 0;
    for (int64_t sliceK : Axis(kFmaSliceK)) {
      s.sliceK = sliceK;
      // A slice's part of it is what is unrolled.
      s.bk = std::min(sliceK * LongestStep(problem, s), Axis(kFmaBk).back());
      s.unrollK = s.bk / sliceK;
      for (const Sharing& sharing : sharings) {
        if (sharing.splitK > 1 && problem.k < sharing.splitK * kLeastSplit) continue;
        sharing.SetIn(s);
        bool taken = false;
        for (const Copies& copies : kCopies)
          for (int64_t minBlocks : {2, 1}) {
            s.async = copies.async, s.stages = copies.stages, s.minBlocks = minBlocks;
            taken = taken || Consider(s, best);
          }
      }
    }
  }

  void TryTiles(Timed& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t bm : Axis(kFmaBm))
      for (int64_t bn : Axis(kFmaBn))
        for (int64_t tm : Axis(kFmaTm))
          for (int64_t tn : Axis(kFmaTn))
            for (int64_t lm : Axis(kFmaLm)) {
              s.bm = bm, s.bn = bn, s.tm = tm, s.tn = tn, s.lm = lm;
              if (s.tm * s.tn * s.unrollK <= MostUnrolled(problem)) Consider(s, best);
            }
  }

  void TryCopies(Timed& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t sliceK : Axis(kFmaSliceK))
      for (int64_t bk : Axis(kFmaBk))
        for (int64_t kmajorA : Axis(kFmaKmajorA))
          for (int64_t padA : Axis(kFmaPadA))
            for (int64_t padB : Axis(kFmaPadB))
              for (int64_t async : Axis(kFmaAsync))
                for (int64_t stages : Axis(kFmaStages))
                  for (int64_t minBlocks : Axis(kFmaMinBlocks)) {
                    s.sliceK = sliceK;
                    s.bk = bk, s.unrollK = bk / sliceK;
                    s.kmajorA = kmajorA, s.fragments = kmajorA + 1;
                    s.padA = padA, s.padB = padB;
                    s.async = async, s.stages = stages, s.minBlocks = minBlocks;
                    if (s.tm * s.tn * s.unrollK <= MostUnrolled(problem)) Consider(s, best);
                  }
  }

  void TrySplits(Timed& best) const {
    FmaSchedule s = best.schedule;
    for (const Sharing& sharing : sharings)
      for (int64_t groupM : Axis(kFmaGroupM)) {
        sharing.SetIn(s);
        s.groupM = groupM;
        Consider(s, best);
      }
  }

  const MatmulProblem& problem;
  const DeviceInfo& device;
  const std::vector<ScheduleParameter>& axes;
  const std::vector<Sharing> sharings;
  const std::vector<ScheduleConstraint> constraints;
};

}  // namespace

FmaTileLimits::FmaTileLimits(const MatmulProblem& problem) {
  int64_t m = NextPowerOfTwo(std::min<int64_t>(problem.m, 256));
  int64_t n = NextPowerOfTwo(std::min<int64_t>(problem.n, 256));
  bm = std::max(m, 32 / std::min<int64_t>(n, 32));
  bn = std::max(n, 32 / std::min<int64_t>(m, 32));
}

std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes) {
  Chooser chooser(problem, device, axes);
  std::vector<ByPreference<Schedule>> all;
  for (const Timed& start : chooser.Starts()) all.push_back({chooser.Improved(start).schedule.ToSchedule()});
  return all;
}

}  // namespace mmtune
