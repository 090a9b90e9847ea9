// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compiled_facts: what compiling tells a search of schedules that the formula thinks fast: their registers, what they
// spill, and a model of their machine code (kernels/perf_model/profile/scheduler_model.h; no time of a GPU).
//
// usage: compiled_facts MxNxK ARCH [--samples N] [--seed S] [--csv] [a problem's flags]
// Of the tenth of 2,048 schedules drawn that the formula thinks fastest, N are compiled. Prints how far the formula's
// times move with what that told (mean, and deviation of the logarithm), and of batches of 8, drawn from these, the
// time of the one that the formula likes best without some of it, over that of the best with all of it. Needs ptxas and
// nvdisasm.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"
#include "tests/bench/problem_flags.h"

namespace mmtune {
namespace {

constexpr int kDrawn = 2048;
constexpr size_t kBatch = 8;
constexpr int kBatches = 2000;

struct Options {
  ProblemOptions problem;
  std::string arch;
  size_t samples = 64;
  uint64_t seed = 1;
  bool csv = false;
};

struct Fact {
  Schedule schedule;
  CodeFacts code;
  int64_t estimate = 0;  ///< Registers.
  /// Seconds by the formula: alone, with registers and spills, and with the model of the machine code.
  double before = 0, by_registers = 0, by_code = 0;
};

/// Those that the formula thinks fastest, in an order of their own.
std::vector<Schedule> Promising(const SearchSpace& space, const Options& options) {
  SearchRng rng(options.seed);
  std::vector<std::pair<double, Schedule>> drawn;
  for (int i = 0; i < kDrawn; ++i) {
    Schedule schedule = space.Sample(rng);
    const double seconds = space.Predict(schedule)->total;
    drawn.emplace_back(seconds, std::move(schedule));
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  drawn.resize(std::min<size_t>(drawn.size(), kDrawn / 10));
  Shuffle(drawn, rng);
  std::vector<Schedule> schedules;
  for (size_t i = 0; i < std::min(options.samples, drawn.size()); ++i) schedules.push_back(drawn[i].second);
  return schedules;
}

/// Returns the time of the busiest multiprocessor by the model of the machine code.
std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

/// Spearman's.
double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = Ranks(a), y = Ranks(b);
  const auto n = static_cast<double>(x.size());
  double squares = 0;
  for (size_t i = 0; i < x.size(); ++i) squares += (x[i] - y[i]) * (x[i] - y[i]);
  return 1 - 6 * squares / (n * (n * n - 1));
}

double RegretOf(const std::vector<double>& liked, const std::vector<double>& modelled, uint64_t seed) {
  SearchRng rng(seed);
  std::vector<size_t> all(liked.size());
  std::iota(all.begin(), all.end(), size_t{0});
  double sum = 0;
  for (int i = 0; i < kBatches; ++i) {
    Shuffle(all, rng);
    const auto end = all.begin() + static_cast<ptrdiff_t>(std::min(kBatch, all.size()));
    const auto by = [&](const std::vector<double>& values) {
      return *std::min_element(all.begin(), end, [&](size_t a, size_t b) { return values[a] < values[b]; });
    };
    sum += modelled[by(liked)] / modelled[by(modelled)];
  }
  return sum / kBatches;
}

absl::StatusOr<std::vector<Fact>> Collect(const MatmulProblem& problem, const Options& options) {
  CompileTarget target;
  ASSIGN_OR_RETURN(target.device, ArchitectureLimits(options.arch));
  target.device.kind = DeviceKind::kCuda;
  target.device.multiprocessors = static_cast<int64_t>(RatesOf(target.device).multiprocessors);
  std::vector<const KernelFamily*> families;
  for (const KernelFamily* family : KernelFamilies()) {
    if (family->SearchedByDefault(problem)) families.push_back(family);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, target.device, families));
  ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler, Compiler::Create());
  std::vector<Fact> facts;
  for (const Schedule& schedule : Promising(*space, options)) {
    ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(problem, schedule, target));
    if (kernel.format != ImageFormat::kCubin) return FailedPrecondition("ptxas is not found");
    ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
    Fact& fact = facts.emplace_back();
    fact.schedule = schedule;
    fact.code.resources = kernel.resources;
    fact.estimate = geometry.registers;
    const auto share =
        PredictedPeakFraction(problem, WithCompiledResources(geometry, kernel.resources), target.device, kernel);
    if (share.ok()) fact.code.predicted_peak_fraction = *share;
    fact.before = space->Predict(schedule)->total;
    fact.by_registers = space->PredictCompiled(schedule, {kernel.resources})->total;
    fact.by_code = space->PredictCompiled(schedule, fact.code)->total;
    if (!options.csv) continue;
    std::printf("%s,%lld,%lld,%lld,%.4f,%.6g,%.6g,%.6g\n", schedule.Text().c_str(),
                static_cast<long long>(fact.estimate), static_cast<long long>(kernel.resources.registers),
                static_cast<long long>(kernel.resources.spill_bytes), fact.code.predicted_peak_fraction,
                1e3 * fact.before, 1e3 * fact.by_registers, 1e3 * fact.by_code);
    std::fflush(stdout);
  }
  return facts;
}

/// "-1.2 % on average, deviation 3.4 %".
std::string MoveText(const std::vector<double>& from, const std::vector<double>& to) {
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(from.size());
  for (size_t i = 0; i < from.size(); ++i) mean += std::log(to[i] / from[i]) / count;
  for (size_t i = 0; i < from.size(); ++i) {
    const double about = std::log(to[i] / from[i]) - mean;
    squares += about * about / count;
  }
  return absl::StrFormat("%+.1f %% on average, deviation %.1f %%", 100 * std::expm1(mean), 100 * std::sqrt(squares));
}

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(const MatmulProblem problem, MakeProblem(options.problem));
  ASSIGN_OR_RETURN(const std::vector<Fact> facts, Collect(problem, options));
  std::vector<double> before, by_registers, by_code;
  int64_t spilled = 0;
  for (const Fact& fact : facts) {
    spilled += fact.code.resources.spill_bytes > 0;
    if (!(fact.code.predicted_peak_fraction > 0)) continue;
    before.push_back(fact.before);
    by_registers.push_back(fact.by_registers);
    by_code.push_back(fact.by_code);
  }
  if (before.size() < kBatch) return FailedPrecondition("too few schedules could be modelled: is nvdisasm there?");
  std::printf("%s %s: %zu compiled, %lld spill, %zu modelled\n", problem.Text().c_str(), options.arch.c_str(),
              facts.size(), static_cast<long long>(spilled), before.size());
  std::printf("  registers and spills move the formula by %s\n", MoveText(before, by_registers).c_str());
  std::printf("  machine code moves it by                 %s\n", MoveText(before, by_code).c_str());
  std::printf(
      "  with that in, the best of 8 by the formula alone takes %.3f, with registers and spills %.3f of the best; "
      "rank correlation %.2f, %.2f\n",
      RegretOf(before, by_code, options.seed), RegretOf(by_registers, by_code, options.seed),
      RankCorrelation(before, by_code), RankCorrelation(by_registers, by_code));
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("What compiling tells a search of schedules, and what choosing by it gains by a model of their code");
  app.add_option("shape", options.problem.shape, "MxNxK")->required();
  app.add_option("arch", options.arch, "sm_80, ...")->required();
  app.add_option("--samples", options.samples, "Schedules to compile")->capture_default_str();
  app.add_option("--seed", options.seed, "Which ones")->capture_default_str();
  app.add_flag(
      "--csv", options.csv,
      "A line for each: schedule, registers estimated, real, bytes spilled, predicted peak fraction, and ms by the "
      "formula alone, "
      "with registers and spills, with all");
  mmtune::AddProblemFlags(app, options.problem);
  CLI11_PARSE(app, argc, argv);
  const absl::Status printed = mmtune::Print(options);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "compiled_facts: %s\n", std::string(printed.message()).c_str());
  return 1;
}
