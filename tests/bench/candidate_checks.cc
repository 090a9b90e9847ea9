// candidate_checks: what the check of a candidate costs on the SIMT device, in time and memory.
//
// Measures a schedule as the measure child does and prints, as medians of `--repeat` rounds, the time of the check and
// its share of the whole measurement (load, check, timing with the default budget); then the memory, in parts of the
// problem's operands: what the measurer keeps for the next candidate, and the most it has at once during a check. Of
// the latter one part, and the workspace, are the kernel's own buffers, which on the SIMT device are memory of the
// process.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/compiler.h"
#include "kernels/families/registry.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "worker/device_measurer.h"

namespace mmtune {
namespace {

/// One on exact operands, two on random ones.
constexpr int kKernelRuns = 3;

struct Options {
  std::string shape = "1024x1024x1024";
  std::string schedule =
      "simt async=0 bk=32 bm=128 bn=64 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=0 split_k=1 "
      "stages=2 tm=8 tn=8 unroll_k=4";
  int repeat = 3;
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

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(MatmulProblem problem, ParseMatmulShape(options.shape, DataType::kF32));
  ASSIGN_OR_RETURN(Schedule schedule, ParseSchedule(options.schedule));
  ASSIGN_OR_RETURN(DeviceSelector simt, ParseDeviceSelector("simt"));
  CompileTarget target;
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(simt));
  target.device = device->info();
  ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler, Compiler::Create());
  ASSIGN_OR_RETURN(CompiledKernel kernel, compiler->Compile(problem, schedule, target));
  ASSIGN_OR_RETURN(std::unique_ptr<Measurer> measurer, DeviceMeasurer::Create(simt));

  const double before = StatusBytes("VmRSS");
  RETURN_IF_ERROR(measurer->Load(problem, kernel));
  const auto operands = static_cast<double>(problem.OperandBytes());
  const double kept = (StatusBytes("VmRSS") - before) / operands;
  ResetPeak();
  ASSIGN_OR_RETURN(CheckReport report, measurer->Check());
  if (!report.passed) return Internal(report.detail);
  const double peak = (StatusBytes("VmHWM") - before) / operands;

  std::vector<double> checks, shares;
  double kernel_ms = 0;
  for (int i = 0; i < options.repeat; ++i) {
    const TimePoint start = Clock::Real().Now();
    RETURN_IF_ERROR(measurer->Load(problem, kernel));
    const TimePoint check = Clock::Real().Now();
    RETURN_IF_ERROR(measurer->Check().status());
    checks.push_back(MsSince(check));
    ASSIGN_OR_RETURN(Timing timing, measurer->Time(0, 0));
    shares.push_back(100 * checks.back() / MsSince(start));
    kernel_ms = timing.median_ns * 1e-6;
  }
  printf("%s on %s\n", problem.ShapeText().c_str(), target.device.name.c_str());
  const double own = Median(checks) - kKernelRuns * kernel_ms;
  printf(
      "check     %.1f ms, %.1f %% of a measurement: %d runs of the kernel, of %.1f ms each, and %.1f ms (%.1f %%) "
      "else\n",
      Median(checks), Median(shares), kKernelRuns, kernel_ms, own, Median(shares) * own / Median(checks));
  printf("memory    %.2f x the operands are kept, %.2f x at most during a check\n", kept, peak);
  printf("error     %.3g of the bound\n", report.bound_fraction.value_or(0));
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
