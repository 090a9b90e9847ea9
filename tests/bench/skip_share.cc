// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// skip_share: of how many schedules of a problem it is known without a measurement that they cannot be within 10 % of
// the fastest, on a typical board of an architecture, if the fastest takes what the formula says of it.
//
// usage: skip_share MxNxK ARCH [a problem's flags]
// Prints one line: the problem, the architecture, schedules drawn, skipped before they are compiled, by bound.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"
#include "tests/bench/problem_flags.h"

namespace mmtune {
namespace {

constexpr int kDrawn = 2048;

absl::Status Print(const MatmulProblem& problem, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  device.kind = DeviceKind::kCuda;
  const DeviceRates board = RatesOf(device);
  device.multiprocessors = static_cast<int64_t>(board.multiprocessors);
  device.clock_khz = static_cast<int64_t>(board.clocksPerSecond / 1e3);
  std::vector<const KernelFamily*> families;
  for (const KernelFamily* family : KernelFamilies()) {
    if (family->SearchedByDefault(problem)) families.push_back(family);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, families));
  SearchRng rng(1);
  std::vector<RuntimeLowerBound> least;
  double best_ns = 0;
  for (int i = 0; i < kDrawn; ++i) {
    ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(problem, space->Sample(rng)));
    const double ns = 1e9 * PredictTime(problem, geometry, device).total;
    best_ns = best_ns == 0 ? ns : std::min(best_ns, ns);
    least.push_back(RuntimeLowerBoundOf(problem, geometry, device));
  }
  std::map<std::string, int> skipped;
  for (const RuntimeLowerBound& time : least) {
    if (time.ns > kSkipMargin * best_ns) ++skipped[time.bound];
  }
  std::printf("%s, %s: %d drawn, the best predicted %.1f us, skipped %.1f %%:", problem.Text().c_str(), arch.c_str(),
              kDrawn, best_ns / 1e3, 100.0 * (skipped["blocks"] + skipped["schedulers"] + skipped["peak"]) / kDrawn);
  for (const auto& [bound, count] : skipped) std::printf(" %d by %s", count, bound.c_str());
  std::printf("\n");
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::ProblemOptions options;
  std::string arch;
  CLI::App app("Prints how many schedules of a problem are known to be slow before they are measured");
  app.add_option("SHAPE", options.shape, "MxNxK")->required();
  app.add_option("ARCH", arch, "sm_80, sm_90, ...")->required();
  mmtune::AddProblemFlags(app, options);
  CLI11_PARSE(app, argc, argv);
  const auto problem = mmtune::MakeProblem(options);
  const absl::Status printed = problem.ok() ? mmtune::Print(*problem, arch) : problem.status();
  if (printed.ok()) return 0;
  std::fprintf(stderr, "skip_share: %s\n", std::string(printed.message()).c_str());
  return 1;
}
