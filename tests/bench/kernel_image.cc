// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel_image: the cubin of one schedule, for tools that read machine code, and what is known of it, in JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "tests/bench/problem_flags.h"
#include "tests/kernels/families/bank_conflicts.h"

namespace mmtune {
namespace {

struct Options {
  ProblemOptions problem = {.shape = "4096x4096x4096"};
  std::string arch = "sm_80";
  std::string schedule;
  std::string output;
};

/// How the kernel's blocks share the product, by kernels/perf_model/time_model.h: their number, clocks of the
/// multiply-adds of one at peak, tiles of C whose beginnings and ends one pays for, with what it reads of others' sums,
/// and clocks of what else sums parts of tiles.
absl::StatusOr<nlohmann::ordered_json> WorkOf(const MatmulProblem& problem, const Schedule& schedule,
                                              const DeviceInfo& device) {
  ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
  const LoopCost& loop = geometry.loop;
  const auto per_clock = static_cast<double>(MultiplyAddsPerClock(problem, loop.tensorCores, device));
  ScheduleGeometry unshared = geometry;
  unshared.reduction = {};
  const double sums = PredictTime(problem, geometry, device).others - PredictTime(problem, unshared, device).others;
  return nlohmann::ordered_json{
      {"blocks", geometry.blocks},
      {"clocks_at_peak", loop.steps * loop.multiplyAdds * static_cast<double>(geometry.warps()) / per_clock},
      {"tiles", loop.tiles},
      {"clocks_of_sums", sums * RatesOf(device).clocksPerSecond},
  };
}

absl::Status WriteImage(const Options& options) {
  ASSIGN_OR_RETURN(const MatmulProblem problem, MakeProblem(options.problem));
  CompileTarget target;
  ASSIGN_OR_RETURN(target.device, ArchitectureLimits(options.arch));
  target.device.kind = DeviceKind::kCuda;
  target.device.multiprocessors = static_cast<int64_t>(RatesOf(target.device).multiprocessors);
  absl::StatusOr<Schedule> schedule =
      options.schedule.empty() ? DefaultSchedule(problem, target.device) : ParseSchedule(options.schedule);
  RETURN_IF_ERROR(schedule.status());
  ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler, Compiler::Create());
  ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(problem, *schedule, target));
  if (kernel.format != ImageFormat::kCubin) return FailedPrecondition("ptxas is not found");
  RETURN_IF_ERROR(WriteWholeFile(options.output, kernel.image));
  ASSIGN_OR_RETURN(const std::vector<SharedAccess> accesses, SharedAccesses(problem, *schedule));
  nlohmann::ordered_json ways = nlohmann::ordered_json::object();
  for (const SharedAccess& access : accesses) ways[access.name] = std::max(ways.value(access.name, 1), access.ways);
  ASSIGN_OR_RETURN(const nlohmann::ordered_json work, WorkOf(problem, *schedule, target.device));
  const nlohmann::ordered_json facts = {
      {"schedule", schedule->Text()},
      {"kernel", std::ranges::find(kernel.plan.steps, PlanStep::Kind::kLaunch, &PlanStep::kind)->kernel},
      {"threads", kernel.resources.threads},
      {"registers", kernel.resources.registers},
      {"spill_bytes", kernel.resources.spill_bytes},
      {"shared_bytes", kernel.resources.shared_bytes},
      {"bank_ways", ways},
      {"work", work},
  };
  std::printf("%s\n", facts.dump(2).c_str());
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("Writes the cubin of one schedule, and prints what is known of it");
  app.add_option("--shape", options.problem.shape, "MxNxK")->capture_default_str();
  mmtune::AddProblemFlags(app, options.problem);
  app.add_option("--arch", options.arch, "sm_80 and so on")->capture_default_str();
  app.add_option("--schedule", options.schedule, "As tables print it; the default one of the problem if left out");
  app.add_option("-o,--output", options.output, "The cubin")->required();
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::WriteImage(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "kernel_image: %s\n", std::string(status.message()).c_str());
  return 1;
}
