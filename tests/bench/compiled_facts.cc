// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compiled_facts: what compiling tells a search of schedules that the formula thinks fast, and what choosing by it
// gains by the model of their machine code (kernels/profile/scheduler_model.h; no time of a GPU).
//
// usage: compiled_facts MxNxK ARCH [--samples N] [--seed S] [a problem's flags]
// Of the tenth of 2,048 schedules drawn that the formula thinks fastest, N are compiled. Prints a line for each as CSV
// with --csv, then: how far the formula moves with what compiling told (standard deviation of the logarithm of the
// ratio), its rank correlation with the model before and after, and of batches of 8, drawn from these, the model's
// time of the one that the formula likes best over that of the best of the batch, before and after. Needs ptxas and
// nvdisasm.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/compiler.h"
#include "kernels/families/real_geometry.h"
#include "kernels/families/registry.h"
#include "kernels/families/time_model.h"
#include "kernels/profile/modelled_share.h"
#include "proto/base/status.h"
#include "search/search_space.h"
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
  KernelResources real;
  int64_t estimate = 0;          ///< Registers.
  double before = 0, after = 0;  ///< Seconds by the formula.
  double modelled = 0;           ///< Clocks of the busiest multiprocessor by the model of the machine code.
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

/// Of the busiest multiprocessor, by the model of the machine code.
absl::StatusOr<double> ModelledClocks(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                      const DeviceInfo& device, const CompiledKernel& kernel) {
  ASSIGN_OR_RETURN(const double share, ModelledShare(problem, geometry, device, kernel));
  const double most = std::ceil(static_cast<double>(geometry.blocks) / static_cast<double>(device.multiprocessors));
  const double at_peak = geometry.loop.steps * geometry.loop.multiplyAdds * static_cast<double>(geometry.warps()) /
                         static_cast<double>(ProductsPerClock(problem, geometry.loop.tensorCores, device));
  return most * at_peak / share;
}

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

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(const MatmulProblem problem, MakeProblem(options.problem));
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
  std::vector<double> before, after, modelled, moved;
  int spilled = 0, unmodelled = 0;
  for (const Schedule& schedule : Promising(*space, options)) {
    ASSIGN_OR_RETURN(const CompiledKernel kernel, compiler->Compile(problem, schedule, target));
    if (kernel.format != ImageFormat::kCubin) return FailedPrecondition("ptxas is not found");
    Fact fact{schedule, kernel.resources};
    ASSIGN_OR_RETURN(const ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
    fact.estimate = geometry.registers;
    fact.before = space->Predict(schedule)->total;
    fact.after = space->PredictCompiled(schedule, {kernel.resources})->total;
    const auto clocks = ModelledClocks(problem, WithReal(geometry, kernel.resources), target.device, kernel);
    if (clocks.ok()) fact.modelled = *clocks;
    spilled += fact.real.spill_bytes > 0;
    moved.push_back(std::log(fact.after / fact.before));
    if (options.csv) {
      std::printf("%s,%lld,%lld,%lld,%.6g,%.6g,%.6g\n", schedule.Text().c_str(), static_cast<long long>(fact.estimate),
                  static_cast<long long>(fact.real.registers), static_cast<long long>(fact.real.spill_bytes),
                  1e3 * fact.before, 1e3 * fact.after, fact.modelled);
      std::fflush(stdout);
    }
    if (!(fact.modelled > 0)) {
      ++unmodelled;
      continue;
    }
    before.push_back(fact.before);
    after.push_back(fact.after);
    modelled.push_back(fact.modelled);
  }
  if (modelled.size() < kBatch) return FailedPrecondition("too few schedules could be modelled: is nvdisasm there?");
  const double mean = std::accumulate(moved.begin(), moved.end(), 0.0) / static_cast<double>(moved.size());
  double squares = 0;
  for (double move : moved) squares += (move - mean) * (move - mean);
  std::printf(
      "%s %s: %zu compiled, %d spill, %d not modelled; the formula moves by %+.1f %% on average, deviation %.1f %%; "
      "rank "
      "correlation with the model %.3f -> %.3f; best of 8 by the formula takes %.3f -> %.3f of the best by the model\n",
      problem.Text().c_str(), options.arch.c_str(), moved.size(), spilled, unmodelled, 100 * std::expm1(mean),
      100 * std::sqrt(squares / static_cast<double>(moved.size())), RankCorrelation(before, modelled),
      RankCorrelation(after, modelled), RegretOf(before, modelled, options.seed),
      RegretOf(after, modelled, options.seed));
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
      "A line for each: schedule, registers estimated, real, bytes spilled, ms by the formula before and after, "
      "clocks by the model");
  mmtune::AddProblemFlags(app, options.problem);
  CLI11_PARSE(app, argc, argv);
  const absl::Status printed = mmtune::Print(options);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "compiled_facts: %s\n", std::string(printed.message()).c_str());
  return 1;
}
