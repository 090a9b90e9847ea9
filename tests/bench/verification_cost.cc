// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verification_cost: what the verification of a schedule costs through the PTX that ships, with a sample of blocks at
// the problem's own size, and what small shapes alone cost through the SIMT device's own lowering, on which no verdict
// stands any more. As in a worker for a GPU, the candidate is compiled before; a worker for the SIMT device compiles
// the PTX of its own size only to verify it.
//
// Draws schedules of every family and type, verifies each in all ways in turn, every other one in the opposite order,
// and prints the processor times, and the medians. With --ptx they are verified as in a worker for a GPU alone, and the
// distribution of the times is printed.
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/kernels/families/test_devices.h"
#include "worker/verify/schedule_verifier.h"

namespace mmtune {
namespace {

constexpr std::string_view kFamilies[] = {"fma", "mma", "wgmma", "gemv", "direct"};
constexpr int kFuzzingRuns = 3;

struct Options {
  std::string arch = "sm_80";
  std::string family;  // Empty: all in turn.
  int count = 60;
  uint64_t seed = 7;
  bool ptx = false;
};

double CpuMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Returns the least sample that at most the share `quantile` of the samples are below.
double Quantile(std::vector<double> samples, double quantile) {
  std::sort(samples.begin(), samples.end());
  return samples[std::min(samples.size() - 1, static_cast<size_t>(quantile * static_cast<double>(samples.size())))];
}

double Median(const std::vector<double>& samples) { return Quantile(samples, 0.5); }

/// Returns an error unless the verification passed.
absl::Status CheckPassed(const absl::StatusOr<VerificationReport>& report) {
  RETURN_IF_ERROR(report.status());
  return report->passed ? absl::OkStatus() : Internal(report->finding + report->reason);
}

absl::Status ThroughOwnLowering(Compiler* compiler, VerificationRequest request) {
  CompileTarget target;
  target.device = request.device;
  target.race_detection = true;
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(request.schedule.family));
  const Schedule verified = family->VerificationSchedule(request.problem, request.schedule);
  std::string why;
  std::vector<VerificationSubject> subjects;
  for (const MatmulProblem& shape : VerificationShapes(request.problem, verified, target.device, &why)) {
    ASSIGN_OR_RETURN(CompiledKernel kernel, compiler->Compile(shape, verified, target));
    subjects.push_back({shape, std::move(kernel)});
  }
  if (subjects.empty()) return Internal(why);
  return CheckPassed(RunVerification(subjects, request.device.arch, request.fuzzing_runs));
}

absl::Status ThroughPtx(Compiler* compiler, VerificationRequest request) {
  ScheduleVerifier verifier(compiler, /*cache_folder=*/"");
  return CheckPassed(verifier.Verify(request));
}

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<Compiler> compiler, Compiler::Create());
  ASSIGN_OR_RETURN(std::unique_ptr<Device> simt, CreateSimtDevice(options.arch));
  SearchRng rng(options.seed);
  CompileTarget gpu;
  gpu.device = TestDevice(options.arch);
  gpu.assemble = false;
  std::vector<double> own, alone, compiled, alone_ratios, compiled_ratios;
  for (size_t i = 0; std::ssize(own) < options.count; ++i) {
    const std::string_view family = kFamilies[i % std::size(kFamilies)];
    if (!options.family.empty() && family != options.family) continue;
    const std::string_view shape = family == "gemv" ? "1x4096x4096" : i % 3 == 0 ? "1001x1001x1001" : "4096x4096x4096";
    const std::vector<MatmulProblem> typed = InEveryType(TestProblem(shape, 1, false, i % 2 == 0 ? "bias,gelu" : ""));
    VerificationRequest request;
    request.problem = typed[rng() % typed.size()];
    if (request.problem.dtype == DataType::kF64) request.problem.epilogue.clear();  // It has no gelu.
    request.device = simt->info();
    request.device.multiprocessors = TestDevice(options.arch).multiprocessors;
    request.fuzzing_runs = kFuzzingRuns;
    const auto schedule = SampleSchedule(family, request.problem, TestDevice(options.arch), rng);
    if (!schedule.ok()) continue;
    request.schedule = *schedule;
    // A compiler remembers the PTX of candidates, so the one that has compiled this one is another one.
    ASSIGN_OR_RETURN(std::unique_ptr<Compiler> informed, Compiler::Create());
    RETURN_IF_ERROR(informed->Compile(request.problem, request.schedule, gpu).status());
    if (options.ptx) {
      const double start = CpuMs();
      RETURN_IF_ERROR(WithContext(ThroughPtx(informed.get(), request), request.schedule.Text()));
      own.push_back(CpuMs() - start);
      printf("%8.1f  %s, %s\n", own.back(), request.problem.Text().c_str(), request.schedule.Text().c_str());
      fflush(stdout);
      continue;
    }
    const std::pair<Compiler*, absl::Status (*)(Compiler*, VerificationRequest)> ways[] = {
        {compiler.get(), ThroughOwnLowering}, {compiler.get(), ThroughPtx}, {informed.get(), ThroughPtx}};
    double ms[3];
    for (size_t turn = 0; turn < std::size(ways); ++turn) {
      const size_t way = i / std::size(kFamilies) % 2 == 0 ? turn : std::size(ways) - 1 - turn;
      const double start = CpuMs();
      RETURN_IF_ERROR(WithContext(ways[way].second(ways[way].first, request), request.schedule.Text()));
      ms[way] = CpuMs() - start;
    }
    own.push_back(ms[0]);
    alone.push_back(ms[1]);
    compiled.push_back(ms[2]);
    alone_ratios.push_back(ms[1] / ms[0]);
    compiled_ratios.push_back(ms[2] / ms[0]);
    printf("%8.1f %8.1f %8.1f  %s, %s\n", ms[0], ms[1], ms[2], request.problem.Text().c_str(),
           request.schedule.Text().c_str());
    fflush(stdout);
  }
  if (options.ptx) {
    printf("%d schedules, CPU ms: median %.0f, 90 %% %.0f, worst %.0f\n", options.count, Median(own),
           Quantile(own, 0.9), Quantile(own, 1));
    return absl::OkStatus();
  }
  printf(
      "%8.1f %8.1f %8.1f  medians of %d in CPU ms: own lowering of small shapes, PTX, PTX after compilation\n"
      "median ratios to the first: %.3f, %.3f\n",
      Median(own), Median(alone), Median(compiled), options.count, Median(alone_ratios), Median(compiled_ratios));
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("What the verification of a schedule costs");
  app.add_option("--arch", options.arch)->capture_default_str();
  app.add_option("--family", options.family, "Only schedules of this family")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(mmtune::kFamilies), std::end(mmtune::kFamilies))));
  app.add_option("--count", options.count)->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_flag("--ptx", options.ptx, "Only through PTX after compilation; prints median, 90 % and worst");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::Print(options);
  if (status.ok()) return 0;
  fprintf(stderr, "verification_cost: %s\n", std::string(status.message()).c_str());
  return 1;
}
