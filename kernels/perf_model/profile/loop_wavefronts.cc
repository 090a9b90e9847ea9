// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/loop_wavefronts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "kernels/perf_model/profile/loop_facts.h"

namespace mmtune {
namespace {

bool IsShared(SassUnit unit) { return unit >= SassUnit::kSharedLoad && unit <= SassUnit::kAsyncCopy; }

bool IsMatrix(const SassInstruction& instruction) { return absl::StartsWith(instruction.opcode, "LDSM"); }

/// What was counted, by kind and width of access.
class CountedWavefronts {
 public:
  explicit CountedWavefronts(const ProfiledCounters& counters) {
    for (const ProfiledPoint& point : counters.points) {
      const bool load = point.kind == "shared load";
      if (!load && point.kind != "shared store") continue;
      const std::string kind =
          KindOf(load, absl::StrContains(point.operation, "ldmatrix"), absl::StrContains(point.operation, "cp.async"));
      for (const int64_t width : {int64_t{0}, point.lane_bytes}) {
        Sum& sum = sums_[{kind, width}];
        sum.units += load ? point.merged : point.units;
        sum.ideal += point.ideal;
      }
    }
  }

  /// How many times those without conflicts; 0: nothing of the kind was counted.
  double FactorOf(const SassInstruction& instruction) const {
    const SassUnit unit = ClassOf(instruction).unit;
    const bool matrix = IsMatrix(instruction);
    const std::string kind = KindOf(unit == SassUnit::kSharedLoad, matrix, unit == SassUnit::kAsyncCopy);
    for (const int64_t width : {matrix ? int64_t{0} : LaneBytes(instruction), int64_t{0}}) {
      const auto sum = sums_.find({kind, width});
      if (sum != sums_.end() && sum->second.ideal > 0) return sum->second.units / sum->second.ideal;
    }
    return 0;
  }

 private:
  struct Sum {
    double units = 0, ideal = 0;
  };
  static std::string KindOf(bool load, bool matrix, bool copy) {
    if (load) return matrix ? "matrix" : "load";
    return copy ? "copy" : "store";
  }

  std::map<std::pair<std::string, int64_t>, Sum> sums_;  ///< By kind and width; 0: of all widths.
};

double AssumedFactor(const SassInstruction& instruction) {
  const bool pairs = ClassOf(instruction).unit == SassUnit::kSharedLoad && !IsMatrix(instruction);
  return pairs && LaneBytes(instruction) == 16 ? 0.5 : 1;
}

}  // namespace

std::vector<double> WavefrontsOf(const SassFunction& function, const SassLoop& loop, const ProfiledCounters* counters) {
  const CountedWavefronts counted(counters != nullptr ? *counters : ProfiledCounters());
  std::vector<double> wavefronts;
  for (size_t i = loop.first; i <= loop.last; ++i) {
    const SassInstruction& instruction = function.instructions[i];
    if (!IsShared(ClassOf(instruction).unit)) {
      wavefronts.push_back(1);
      continue;
    }
    const double without_conflicts = std::max(1.0, static_cast<double>(LaneBytes(instruction)) / 4);
    const double factor = counted.FactorOf(instruction);
    wavefronts.push_back(without_conflicts * (factor > 0 ? factor : AssumedFactor(instruction)));
  }
  return wavefronts;
}

double SharedWavefronts(const SassFunction& function, const SassLoop& loop, const std::vector<double>& wavefronts) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    if (IsShared(ClassOf(function.instructions[loop.first + i]).unit)) sum += wavefronts[i];
  }
  return sum;
}

}  // namespace mmtune
