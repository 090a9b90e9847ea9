// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tie_rate: how often a schedule compared with itself comes out as tied, and how far the ratios are from 1.
//
// Each comparison is one that `tune matmul` makes of its finalists: eight fresh measure children, each of which times
// both kernels in turn. The two are the same code, so whatever is not a tie is a mistake.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/runtime/device/device.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "worker/children/child.h"
#include "worker/children/measure_lane.h"
#include "worker/measure/device_measurer.h"

namespace mmtune {
namespace {

struct Options {
  std::string shape = "256x256x256";
  std::string schedule =
      "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 "
      "stages=2 stream_k=1 tm=4 tn=4 unroll_k=4";
  std::string device = "simt";
  std::string worker = MMTUNE_WORKER;
  int times = 100;
  bool json = false;
};

absl::Status Run(const Options& options) {
  ASSIGN_OR_RETURN(const MatmulProblem problem, ParseMatmulShape(options.shape, DataType::kF32));
  ASSIGN_OR_RETURN(const Schedule schedule, ParseSchedule(options.schedule));
  ASSIGN_OR_RETURN(const DeviceSelector selector, ParseDeviceSelector(options.device));
  Evaluation evaluation;
  CompileTarget target;
  {
    ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(selector));
    target.device = device->info();
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler, Compiler::Create());
  ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(problem, schedule, target));
  evaluation.kernel = evaluation.reference_kernel = ToMessage(kernel);
  evaluation.candidate.problem = problem;
  evaluation.candidate.schedule = schedule;
  evaluation.candidate.reference = schedule;
  evaluation.candidate.target = target.device;
  evaluation.stop = std::make_shared<StopToken>();
  ASSIGN_OR_RETURN(OwnedFolder scratch, OwnedFolder::Temporary("mmtune-test-"));
  ChildCommand command;
  command.executable = options.worker;
  command.role = "measure";
  command.device = options.device;
  command.scratch_folder = scratch.path();

  int tied = 0;
  std::vector<double> errors;
  for (int i = 0; i < options.times; ++i) {
    ASSIGN_OR_RETURN(const Comparison comparison, Compare(command, evaluation, std::chrono::seconds(60), nullptr));
    tied += comparison.Tied();
    errors.push_back(std::fabs(comparison.ratio - 1));
    fprintf(stderr, "\r%d of %d tied", tied, i + 1);
  }
  fprintf(stderr, "\n");
  std::sort(errors.begin(), errors.end());
  const double median = errors[errors.size() / 2];
  if (options.json) {
    printf("{\"comparisons\": %d, \"tied\": %d, \"median_error\": %g, \"largest_error\": %g}\n", options.times, tied,
           median, errors.back());
    return absl::OkStatus();
  }
  printf("%s on %s, a schedule compared with itself\n", problem.ShapeText().c_str(), target.device.name.c_str());
  printf("tied      %d of %d\n", tied, options.times);
  printf("ratio     off 1 by %.2f %% (median), %.2f %% (largest)\n", 100 * median, 100 * errors.back());
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app{"How often a schedule compared with itself comes out as tied"};
  app.add_option("--shape", options.shape, "MxNxK")->capture_default_str();
  app.add_option("--schedule", options.schedule, "As tables write it")->capture_default_str();
  app.add_option("--device", options.device, "simt or cuda:<i>")->capture_default_str();
  app.add_option("--worker", options.worker, "The mmtune-worker that measures")->capture_default_str();
  app.add_option("--times", options.times, "Comparisons")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_flag("--json", options.json, "One JSON object");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::Run(options);
  if (!status.ok()) fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
