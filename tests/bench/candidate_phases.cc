// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// candidate_phases: what one candidate costs, phase by phase.
//
// Compiles, checks and times schedules in this process, as the children do, and prints for each the medians of
// `--repeat` rounds in milliseconds: first for a CUDA target (emit, MLIR, LLVM, ptxas, host function; nothing is run),
// then for the SIMT device (the same, then load, check and timing). `cpu` is the processor time of the compilation, all
// threads and ptxas included. The first row is the 128x128x16 schedule that the goal of 0.6 s of CPU a candidate is set
// for; the others are drawn from the space.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"
#include "tests/bench/problem_flags.h"
#include "worker/measure/device_measurer.h"

namespace mmtune {
namespace {

constexpr char kReferenceSchedule[] =
    "fma async=1 bk=16 bm=128 bn=128 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=2 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=8 tn=8 unroll_k=16";

struct Options {
  ProblemOptions problem = {.shape = "1024x1024x1024"};
  std::string arch = "sm_80";
  std::string schedule = kReferenceSchedule;
  int random = 4;
  int repeat = 3;
  uint64_t seed = 1;
  double measure_seconds = 0.2;
};

/// Medians by column, in the order in which columns are first named.
class Columns {
 public:
  void Add(const std::string& name, double ms) {
    auto at = std::find_if(columns_.begin(), columns_.end(), [&name](const auto& c) { return c.first == name; });
    if (at == columns_.end()) at = columns_.insert(columns_.end(), {name, {}});
    at->second.push_back(ms);
  }
  void PrintNames() const {
    for (const auto& [name, samples] : columns_) printf("%10s", name.c_str());
    printf("\n");
  }
  void PrintMedians(const std::string& label) const {
    for (const auto& [name, samples] : columns_) printf("%10.1f", Median(samples));
    printf("  %s\n", label.c_str());
  }

 private:
  static double Median(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

/// Returns the CPU time of this process and its reaped children.
double CpuMs() {
  double ms = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage;
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      ms += 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
    }
  }
  return ms;
}

absl::Status Timed(Columns& columns, const std::string& name, const std::function<absl::Status()>& work) {
  const TimePoint start = Clock::Real().Now();
  absl::Status status = work();
  columns.Add(name, std::chrono::duration<double, std::milli>(Clock::Real().Now() - start).count());
  return status;
}

class Bench {
 public:
  static absl::StatusOr<Bench> Create(const Options& options) {
    Bench bench(options);
    ASSIGN_OR_RETURN(bench.problem_, MakeProblem(options.problem));
    ASSIGN_OR_RETURN(bench.compiler_, Compiler::Create());
    ASSIGN_OR_RETURN(DeviceSelector simt, ParseDeviceSelector("simt"));
    simt.arch = options.arch;
    ASSIGN_OR_RETURN(std::unique_ptr<Device> device, OpenDevice(simt));
    bench.simt_.device = device->info();
    ASSIGN_OR_RETURN(bench.cuda_.device, ArchitectureLimits(options.arch));
    bench.cuda_.device.kind = DeviceKind::kCuda;
    bench.cuda_.device.arch = options.arch;
    ASSIGN_OR_RETURN(bench.measurer_, DeviceMeasurer::Create(simt));
    return bench;
  }

  const MatmulProblem& problem() const { return problem_; }

  /// The spaces of the two targets differ: each is sampled for itself.
  absl::StatusOr<std::vector<Schedule>> Schedules(bool simt) const {
    const DeviceInfo& device = simt ? simt_.device : cuda_.device;
    ASSIGN_OR_RETURN(Schedule reference, ParseSchedule(options_.schedule));
    RETURN_IF_ERROR(ValidateSchedule(problem_, reference, device));
    std::vector<Schedule> schedules{reference};
    ASSIGN_OR_RETURN(const KernelFamily* family, FindKernelFamily(reference.family));
    ASSIGN_OR_RETURN(std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem_, device, {family}));
    SearchRng rng(options_.seed);
    for (int i = 0; i < options_.random; ++i) schedules.push_back(space->Sample(rng));
    return schedules;
  }

  absl::StatusOr<Columns> Measure(const Schedule& schedule, bool simt) {
    Columns columns;
    for (int i = 0; i < options_.repeat; ++i) {
      const double cpu = CpuMs();
      ASSIGN_OR_RETURN(CompiledKernel kernel, compiler_->Compile(problem_, schedule, simt ? simt_ : cuda_));
      const double compile_cpu = CpuMs() - cpu;
      columns.Add("emit", kernel.phases.emit_ms);
      columns.Add("mlir", kernel.phases.mlir_ms);
      columns.Add(simt ? "simt-llvm" : "llvm", kernel.phases.llvm_ms);
      if (!simt) columns.Add("ptxas", kernel.phases.assemble_ms);
      columns.Add("host", kernel.phases.host_ms);
      columns.Add("cpu", compile_cpu);
      if (simt) RETURN_IF_ERROR(Run(kernel, columns));
    }
    return columns;
  }

 private:
  explicit Bench(const Options& options) : options_(options) {}

  absl::Status Run(const CompiledKernel& kernel, Columns& columns) {
    RETURN_IF_ERROR(Timed(columns, "load", [&] { return measurer_->Load(problem_, kernel); }));
    CheckReport report;
    RETURN_IF_ERROR(Timed(columns, "check", [&]() -> absl::Status {
      ASSIGN_OR_RETURN(report, measurer_->Check());
      return absl::OkStatus();
    }));
    if (!report.passed) return Internal(report.detail);
    Timing timing;
    RETURN_IF_ERROR(Timed(columns, "timing", [&]() -> absl::Status {
      ASSIGN_OR_RETURN(TimedRun run, measurer_->Time({.measure = {.budget_seconds = options_.measure_seconds}}));
      timing = std::move(run.timing);
      return absl::OkStatus();
    }));
    columns.Add("kernel", timing.median_ns * 1e-6);
    return absl::OkStatus();
  }

  Options options_;
  MatmulProblem problem_;
  CompileTarget cuda_, simt_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Measurer> measurer_;
};

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(Bench bench, Bench::Create(options));
  for (bool simt : {false, true}) {
    ASSIGN_OR_RETURN(std::vector<Schedule> schedules, bench.Schedules(simt));
    printf("%s, %s, median of %d, ms\n", bench.problem().Text().c_str(),
           simt ? "SIMT device" : (options.arch + " (compiled only)").c_str(), options.repeat);
    for (size_t i = 0; i < schedules.size(); ++i) {
      ASSIGN_OR_RETURN(Columns columns, bench.Measure(schedules[i], simt));
      if (i == 0) columns.PrintNames();
      columns.PrintMedians(schedules[i].Text());
    }
    printf("\n");
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("What one candidate costs, phase by phase");
  app.add_option("--shape", options.problem.shape)->capture_default_str();
  mmtune::AddProblemFlags(app, options.problem);
  app.add_option("--arch", options.arch)->capture_default_str();
  app.add_option("--schedule", options.schedule, "The first row")->capture_default_str();
  app.add_option("--random", options.random, "Schedules drawn besides")->capture_default_str();
  app.add_option("--repeat", options.repeat)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--measure-seconds", options.measure_seconds)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  absl::Status status = mmtune::Print(options);
  if (status.ok()) return 0;
  fprintf(stderr, "candidate_phases: %s\n", std::string(status.message()).c_str());
  return 1;
}
