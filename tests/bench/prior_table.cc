// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// prior_table: what the formula expects of every schedule that a job for a problem on an architecture may measure, the
// fastest first; what prior_peer reads.
//
// usage: prior_table MxNxK ARCH [a problem's flags]
// Prints CSV: place, us, block_m, block_n, split_k, stages, schedule. Of spaces of more than kMost schedules, as many
// drawn.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"
#include "tests/bench/problem_flags.h"

namespace mmtune {
namespace {

constexpr int64_t kMost = 200'000;

struct Row {
  double seconds = 0;
  ScheduleGeometry geometry;
  std::string text;
};

absl::StatusOr<std::vector<Row>> Rows(const MatmulProblem& problem, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  device.kind = DeviceKind::kCuda;
  std::vector<const KernelFamily*> families;
  for (const KernelFamily* family : KernelFamilies()) {
    if (family->SearchedByDefault(problem)) families.push_back(family);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, families));
  std::map<std::string, Schedule> schedules;
  auto add = [&](Schedule schedule) { schedules.emplace(schedule.Text(), std::move(schedule)); };
  if (space->Count() <= kMost) {
    auto all = space->Enumerate();
    while (std::optional<Schedule> schedule = all->Next()) add(*std::move(schedule));
  } else {
    SearchRng rng(1);
    for (int64_t i = 0; i < kMost; ++i) add(space->Sample(rng));
  }
  std::vector<Row> rows;
  for (const auto& [text, schedule] : schedules) {
    ASSIGN_OR_RETURN(ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
    const double seconds = PredictTime(problem, geometry, device).total;
    rows.push_back({seconds, std::move(geometry), text});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds < b.seconds; });
  return rows;
}

int Run(const ProblemOptions& options, const std::string& arch) {
  absl::StatusOr<MatmulProblem> problem = MakeProblem(options);
  absl::StatusOr<std::vector<Row>> rows =
      problem.ok() ? Rows(*problem, arch) : absl::StatusOr<std::vector<Row>>(problem.status());
  if (!rows.ok()) {
    std::fprintf(stderr, "prior_table: %s\n", std::string(rows.status().message()).c_str());
    return 1;
  }
  std::printf("place,us,block_m,block_n,split_k,stages,schedule\n");
  int place = 0;
  for (const Row& row : *rows) {
    const ScheduleGeometry& geometry = row.geometry;
    std::printf("%d,%.3f,%lld,%lld,%lld,%lld,%s\n", ++place, 1e6 * row.seconds, static_cast<long long>(geometry.tile.m),
                static_cast<long long>(geometry.tile.n), static_cast<long long>(geometry.splitK),
                static_cast<long long>(geometry.stages), row.text.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::ProblemOptions problem;
  std::string arch;
  CLI::App app("Prints what the formula expects of the schedules of a problem");
  app.add_option("SHAPE", problem.shape, "MxNxK")->required();
  app.add_option("ARCH", arch, "sm_80, sm_90, ...")->required();
  mmtune::AddProblemFlags(app, problem);
  CLI11_PARSE(app, argc, argv);
  return mmtune::Run(problem, arch);
}
