// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// prior_table: what the formula expects of every schedule that a job for a problem on an architecture may measure, the
// fastest first; what prior_peer reads.
//
// usage: prior_table MxNxK ARCH [--stdin] [a problem's flags]
// Prints CSV: place, us, block_m, block_n, split_k, stages, schedule. Of spaces of more than kMost schedules, as many
// drawn. With --stdin the valid ones of the schedules that are the lines of its input.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
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

/// Schedules by their text.
using Schedules = std::map<std::string, Schedule>;

absl::StatusOr<Schedules> ReadSchedules(const MatmulProblem& problem, const DeviceInfo& device) {
  Schedules schedules;
  for (std::string line; std::getline(std::cin, line);) {
    ASSIGN_OR_RETURN(Schedule schedule, ParseSchedule(line));
    ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
    if (family->Validate(problem, schedule, device).ok()) schedules.emplace(schedule.Text(), std::move(schedule));
  }
  return schedules;
}

absl::StatusOr<Schedules> SearchedSchedules(const MatmulProblem& problem, const DeviceInfo& device) {
  std::vector<const KernelFamily*> families;
  for (const KernelFamily* family : KernelFamilies()) {
    if (family->SearchedByDefault(problem)) families.push_back(family);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, families));
  Schedules schedules;
  auto add = [&](Schedule schedule) { schedules.emplace(schedule.Text(), std::move(schedule)); };
  if (space->Count() <= kMost) {
    auto all = space->Enumerate();
    while (std::optional<Schedule> schedule = all->Next()) add(*std::move(schedule));
  } else {
    SearchRng rng(1);
    for (int64_t i = 0; i < kMost; ++i) add(space->Sample(rng));
  }
  return schedules;
}

absl::StatusOr<std::vector<Row>> Rows(const MatmulProblem& problem, const std::string& arch, bool fromInput) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  device.kind = DeviceKind::kCuda;
  // A board of the architecture, for the numbers of blocks.
  device.multiprocessors = static_cast<int64_t>(RatesOf(device).multiprocessors);
  ASSIGN_OR_RETURN(const Schedules schedules,
                   fromInput ? ReadSchedules(problem, device) : SearchedSchedules(problem, device));
  std::vector<Row> rows;
  for (const auto& [text, schedule] : schedules) {
    ASSIGN_OR_RETURN(ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
    const double seconds = PredictTime(problem, geometry, device).total;
    rows.push_back({seconds, std::move(geometry), text});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds < b.seconds; });
  return rows;
}

int Run(const ProblemOptions& options, const std::string& arch, bool fromInput) {
  absl::StatusOr<MatmulProblem> problem = MakeProblem(options);
  absl::StatusOr<std::vector<Row>> rows =
      problem.ok() ? Rows(*problem, arch, fromInput) : absl::StatusOr<std::vector<Row>>(problem.status());
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
  bool fromInput = false;
  app.add_flag("--stdin", fromInput, "predict the schedules of the input, one a line");
  mmtune::AddProblemFlags(app, problem);
  CLI11_PARSE(app, argc, argv);
  return mmtune::Run(problem, arch, fromInput);
}
