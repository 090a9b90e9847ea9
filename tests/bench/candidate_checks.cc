// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// candidate_checks: what the check of a candidate costs on the SIMT device, in time and memory.
//
// Measures a schedule as the measure child does (load, check, timing with the default budget) and, in turn with that,
// without the check. What the check costs is what a measurement with it takes longer, less the samples of both: these
// fill a budget, and their number is chance. The check's two runs on random operands are the timing's warm-up, which
// the timing alone makes as well, so about one run of the kernel is left, the one on exact operands. Prints medians of
// `--repeat` pairs, and the memory, in parts of the problem's operands: what the measurer keeps for the next
// candidate, and the most it has at once, with and without the device's buffers (one part and the workspace), which on
// the SIMT device are memory of the process.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "worker/measure/device_measurer.h"

namespace mmtune {
namespace {

struct Options {
  std::string shape = "1024x1024x1024";
  std::string schedule =
      "fma async=0 bk=32 bm=128 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 "
      "stages=2 stream_k=1 tm=8 tn=8 unroll_k=4";
  int repeat = 5;
};

double Median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

double MsSince(TimePoint start) {
  return std::chrono::duration<double, std::milli>(Clock::Real().Now() - start).count();
}

/// A field of /proc/self/status in bytes.
double StatusBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    double kib = 0;
    if (key == field + ":" && status >> kib) return 1024 * kib;
  }
  return 0;
}

/// VmHWM counts from now on.
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

struct Cost {
  double whole_ms = 0;    ///< Load, check where there is one, and timing.
  double sampled_ms = 0;  ///< The part of it spent in samples.
  double kernel_ms = 0;

  double own_ms() const { return whole_ms - sampled_ms; }
};

class Bench {
 public:
  static absl::StatusOr<Bench> Create(const Options& options) {
    Bench bench;
    ASSIGN_OR_RETURN(bench.problem_, ParseMatmulShape(options.shape, DataType::kF32));
    ASSIGN_OR_RETURN(Schedule schedule, ParseSchedule(options.schedule));
    ASSIGN_OR_RETURN(DeviceSelector simt, ParseDeviceSelector("simt"));
    CompileTarget target;
    ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(simt));
    target.device = device->info();
    ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler, Compiler::Create());
    ASSIGN_OR_RETURN(bench.kernel_, compiler->Compile(bench.problem_, schedule, target));
    ASSIGN_OR_RETURN(bench.measurer_, DeviceMeasurer::Create(simt));
    printf("%s on %s, %d pairs\n", bench.problem_.ShapeText().c_str(), target.device.name.c_str(), options.repeat);
    return bench;
  }

  /// First: what is made once for a problem is made here, and not timed.
  absl::Status PrintMemory() {
    const double before = StatusBytes("VmRSS");
    RETURN_IF_ERROR(measurer_->Load(problem_, kernel_));
    const auto operands = static_cast<double>(problem_.OperandBytes());
    const double kept = (StatusBytes("VmRSS") - before) / operands;
    double most[2] = {};  // without the check, with it
    CheckReport report;
    for (bool check : {false, true, false, true}) {  // the second pair finds what the first left
      RETURN_IF_ERROR(measurer_->Load(problem_, kernel_));
      ResetPeak();
      if (check) {
        ASSIGN_OR_RETURN(report, measurer_->Check());
        if (!report.passed) return Internal(report.detail);
      }
      RETURN_IF_ERROR(measurer_->Time({}).status());
      most[check] = (StatusBytes("VmHWM") - before) / operands;
    }
    const double buffers = 1 + static_cast<double>(kernel_.plan.workspace_bytes) / operands;
    printf("memory    %.2f x the operands are kept; at most %.2f x with the check, %.2f x without\n", kept,
           most[1] - buffers, most[0] - buffers);
    printf("          and with the device's buffers %.2f x, %.2f x\n", most[1], most[0]);
    printf("error     %.3g of the bound\n", report.bound_fraction.value_or(0));
    return absl::OkStatus();
  }

  absl::StatusOr<Cost> Measure(bool check) {
    Cost cost;
    const TimePoint start = Clock::Real().Now();
    RETURN_IF_ERROR(measurer_->Load(problem_, kernel_));
    if (check) RETURN_IF_ERROR(measurer_->Check().status());
    ASSIGN_OR_RETURN(const TimedRun run, measurer_->Time({}));
    cost.whole_ms = MsSince(start);
    for (double sample_ns : run.timing.samples_ns) cost.sampled_ms += sample_ns * 1e-6;
    cost.kernel_ms = run.timing.median_ns * 1e-6;
    return cost;
  }

 private:
  MatmulProblem problem_;
  CompiledKernel kernel_;
  std::unique_ptr<Measurer> measurer_;
};

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(Bench bench, Bench::Create(options));
  RETURN_IF_ERROR(bench.PrintMemory());
  std::vector<double> with, without, costs, shares, kernels;
  for (int pair = 0; pair < options.repeat; ++pair) {
    Cost checked, plain;
    for (bool check : {pair % 2 == 0, pair % 2 != 0}) {  // neither is always the first
      ASSIGN_OR_RETURN((check ? checked : plain), bench.Measure(check));
    }
    const double cost = checked.own_ms() - plain.own_ms();
    with.push_back(plain.whole_ms + cost);
    without.push_back(plain.whole_ms);
    costs.push_back(cost);
    shares.push_back(100 * cost / (plain.whole_ms + cost));
    kernels.push_back((checked.kernel_ms + plain.kernel_ms) / 2);
  }
  printf("kernel    %.1f ms\n", Median(kernels));
  printf("measured  %.1f ms with the check, %.1f ms without, ratio %.3f\n", Median(with), Median(without),
         1 / (1 - Median(shares) / 100));
  printf("check     %.1f ms, %.1f %% of a measurement (%.1f to %.1f %%): %.1f ms besides a run of the kernel\n",
         Median(costs), Median(shares), *std::min_element(shares.begin(), shares.end()),
         *std::max_element(shares.begin(), shares.end()), Median(costs) - Median(kernels));
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("What the check of a candidate costs on the SIMT device");
  app.add_option("--shape", options.shape)->capture_default_str();
  app.add_option("--schedule", options.schedule)->capture_default_str();
  app.add_option("--repeat", options.repeat)->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  absl::Status status = mmtune::Print(options);
  if (status.ok()) return 0;
  fprintf(stderr, "candidate_checks: %s\n", std::string(status.message()).c_str());
  return 1;
}
