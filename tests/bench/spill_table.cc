// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// spill_table: how well the families' register rule keeps kernels from spilling, of plain problems or of a variant.
//
// Samples valid schedules uniformly for every architecture and shape, assembles them with ptxas, and prints how many
// assembled and how many spilled. With `--near N`, only those are assembled whose estimate comes within N registers of
// what they may have: the others count as drawn, and as not spilled. Exit code 1 when one fails to compile, or over
// `--limit` percent of an architecture's spill.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"
#include "tests/bench/problem_flags.h"

namespace mmtune {
namespace {

struct Options {
  int samples = 70;
  int threads = 2;
  double limit_percent = 2;
  int64_t near = 255;
  uint64_t seed = 1;
  bool verbose = false;
  std::string family = "fma";
  std::vector<std::string> archs = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
  std::vector<std::string> shapes = {"1024x1024x1024", "4096x4096x512", "1001x37x513"};
  ProblemOptions problem;  ///< Options common to all shapes.
};

struct Sample {
  std::string arch;
  MatmulProblem problem;
  Schedule schedule;
  CompileTarget target;
  bool assembled = false;  ///< When that was tried and went well.
  absl::Status status;
  KernelResources resources;
  int64_t estimate = 0, limit = 0;  ///< Registers: thought to be needed, and to be had.
};

absl::StatusOr<std::vector<Sample>> DrawSamples(const Options& options) {
  ASSIGN_OR_RETURN(const KernelFamily* family, FindKernelFamily(options.family));
  std::vector<Sample> samples;
  for (const std::string& arch : options.archs) {
    for (const std::string& shape : options.shapes) {
      Sample sample;
      sample.arch = arch;
      ProblemOptions problem = options.problem;
      problem.shape = shape;
      ASSIGN_OR_RETURN(sample.problem, MakeProblem(problem));
      ASSIGN_OR_RETURN(sample.target.device, ArchitectureLimits(arch));
      sample.target.device.kind = DeviceKind::kCuda;
      ASSIGN_OR_RETURN(std::unique_ptr<SearchSpace> space,
                       SearchSpace::Create(sample.problem, sample.target.device, {family}));
      SearchRng rng(options.seed);
      for (int i = 0; i < options.samples; ++i) {
        sample.schedule = space->Sample(rng);
        const ScheduleGeometry geometry = *DescribeSchedule(sample.problem, sample.schedule);
        sample.estimate = geometry.registers;
        sample.limit = RegisterLimit(sample.target.device, geometry.threads, geometry.minBlocks);
        samples.push_back(sample);
      }
    }
  }
  return samples;
}

void CompileAll(const Options& options, std::vector<Sample>& samples) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    std::unique_ptr<Compiler> compiler = *Compiler::Create();
    for (size_t i = next++; i < samples.size(); i = next++) {
      Sample& sample = samples[i];
      if (sample.estimate + options.near < sample.limit) continue;
      absl::StatusOr<CompiledKernel> kernel = compiler->Compile(sample.problem, sample.schedule, sample.target);
      sample.status = kernel.status();
      sample.assembled = kernel.ok();
      if (kernel.ok()) sample.resources = kernel->resources;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < options.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

bool Spilled(const Sample& sample) { return sample.assembled && sample.resources.spill_bytes > 0; }

void PrintSample(const Sample& sample) {
  if (!sample.status.ok()) {
    std::printf("FAILED %s %s %s: %s\n", sample.arch.c_str(), sample.problem.Text().c_str(),
                sample.schedule.Text().c_str(), std::string(sample.status.message()).c_str());
    return;
  }
  std::printf("%s %s %s: %lld registers of %lld (estimated %lld), %lld bytes spilled\n", sample.arch.c_str(),
              sample.problem.Text().c_str(), sample.schedule.Text().c_str(),
              static_cast<long long>(sample.resources.registers), static_cast<long long>(sample.limit),
              static_cast<long long>(sample.estimate), static_cast<long long>(sample.resources.spill_bytes));
}

/// Prints one row; false when the architecture is over the limit.
bool PrintRow(const Options& options, const std::string& arch, const std::vector<Sample>& samples) {
  int drawn = 0, failed = 0, assembled = 0, spilled = 0;
  int64_t under = 0;
  for (const Sample& sample : samples) {
    if (sample.arch != arch) continue;
    ++drawn;
    failed += !sample.status.ok();
    assembled += sample.assembled;
    spilled += Spilled(sample);
    if (sample.assembled) under = std::max(under, sample.resources.registers - sample.estimate);
  }
  double percent = drawn > 0 ? 100.0 * spilled / drawn : 100;
  std::printf("%-6s %8d %10d %8d %7.2f%% %10lld\n", arch.c_str(), drawn, assembled, spilled, percent,
              static_cast<long long>(under));
  return failed == 0 && percent <= options.limit_percent;
}

int Run(const Options& options) {
  absl::StatusOr<std::vector<Sample>> samples = DrawSamples(options);
  if (!samples.ok()) {
    std::fprintf(stderr, "spill_table: %s\n", std::string(samples.status().message()).c_str());
    return 2;
  }
  if (CompilerToolchain(DeviceKind::kCuda).assembler == "driver") {
    std::fprintf(stderr, "spill_table: no ptxas in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin\n");
    return 77;
  }
  CompileAll(options, *samples);
  for (const Sample& sample : *samples)
    if (!sample.status.ok() || Spilled(sample) || (options.verbose && sample.assembled)) PrintSample(sample);
  std::printf("%-6s %8s %10s %8s %8s %10s\n", "arch", "sampled", "assembled", "spilled", "", "over est.");
  bool good = true;
  for (const std::string& arch : options.archs) good &= PrintRow(options, arch, *samples);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("Samples valid schedules, assembles them with ptxas, and counts the ones that spill");
  app.add_option("--samples", options.samples, "Schedules of each architecture and shape")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "Compilations at once")->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limit_percent, "Percent of an architecture's schedules that may spill");
  app.add_option("--near", options.near,
                 "Assemble those estimated within so many registers of their limit; others are taken not to spill")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", options.seed, "Of the samples");
  app.add_option("--family", options.family, "Kernel family");
  app.add_option("--arch", options.archs, "Architectures");
  app.add_option("--shape", options.shapes, "Shapes, MxNxK");
  mmtune::AddProblemFlags(app, options.problem);
  app.add_flag("--verbose", options.verbose, "Print every schedule, not only those that spill or fail");
  CLI11_PARSE(app, argc, argv);
  return mmtune::Run(options);
}
