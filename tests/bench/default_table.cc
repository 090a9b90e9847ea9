// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// default_table: how near the schedule of a product that nobody has tuned comes, by the time model, to the best of many
// random ones of the families that are searched for it, and what choosing it costs.
//
// usage: default_table ARCH... [--shapes N] [--samples N] [--seed N] [--dtype T,...] [--list]
// Prints for each architecture and type the geometric mean, the tenth percentile and the worst of (time of the best
// drawn) / (time of the default), over the shapes of common models and over random ones, and the CPU time of a default.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "search/space/search_space.h"

namespace mmtune {
namespace {

struct Options {
  std::vector<std::string> archs, types = {"f16"};
  int shapes = 100, samples = 6000;
  uint64_t seed = 1;
  bool list = false;
};

/// Products of common models: of Llama 3 (8B, 70B), GPT-2, BERT and ViT by rows of a batch, of ResNet-50 by im2col.
std::vector<MatmulProblem> CommonShapes() {
  std::vector<MatmulProblem> problems;
  const auto add = [&problems](int64_t m, int64_t n, int64_t k) {
    MatmulProblem& problem = problems.emplace_back();
    problem.m = m, problem.n = n, problem.k = k;
  };
  for (int64_t rows : {2, 8, 16, 64, 128, 512, 2048, 8192}) {
    for (auto [n, k] :
         {std::pair{6144, 4096}, {4096, 4096}, {28672, 4096}, {4096, 14336}, {10240, 8192}, {8192, 28672}})
      add(rows, n, k);
  }
  for (int64_t rows : {128, 384, 1024, 4096}) {
    for (auto [n, k] : {std::pair{2304, 768}, {768, 768}, {3072, 768}, {768, 3072}, {50257, 768}, {1000, 768}})
      add(rows, n, k);
  }
  for (auto [m, n, k] : {std::tuple{12544, 64, 147},
                         {3136, 64, 576},
                         {3136, 256, 64},
                         {784, 128, 1152},
                         {784, 512, 128},
                         {196, 256, 2304},
                         {196, 1024, 256},
                         {49, 512, 4608},
                         {49, 2048, 512},
                         {64, 64, 768}})
    add(m, n, k);
  return problems;
}

/// Extents evenly distributed over logarithms; a third of the products are of sizes that are multiples of nothing.
std::vector<MatmulProblem> RandomShapes(const Options& options) {
  std::mt19937_64 rng(options.seed);
  std::vector<MatmulProblem> problems(static_cast<size_t>(options.shapes));
  for (MatmulProblem& problem : problems) {
    const bool odd = rng() % 3 == 0;
    const auto extent = [&] {
      const double drawn = 2 * std::pow(8192, static_cast<double>(rng() >> 11) * 0x1p-53);
      const auto whole = static_cast<int64_t>(drawn);
      return odd || whole < 8 ? whole : whole / 8 * 8;
    };
    problem.m = extent(), problem.n = extent(), problem.k = extent();
    problem.transpose_a = rng() % 4 == 0, problem.transpose_b = rng() % 2 == 0;
    problem.batch = rng() % 8 == 0 ? 4 : 1;
  }
  return problems;
}

absl::Status Print(const char* name, std::vector<MatmulProblem> problems, DataType type, const std::string& arch,
                   const Options& options) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  device.kind = DeviceKind::kCuda;
  device.multiprocessors = static_cast<int64_t>(RatesOf(device).multiprocessors);
  std::vector<double> ratios, milliseconds;
  for (MatmulProblem& problem : problems) {
    problem.dtype = type;
    const std::clock_t before = std::clock();
    ASSIGN_OR_RETURN(const Schedule schedule, DefaultSchedule(problem, device));
    milliseconds.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    ASSIGN_OR_RETURN(const KernelFamily* family, FindKernelFamily(schedule.family));
    ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, {family}));
    SearchRng rng(options.seed);
    const auto seconds = [&](const Schedule& one) { return family->Predict(problem, one, device)->total; };
    Schedule best = space->Sample(rng);
    for (int i = 1; i < options.samples; ++i) {
      Schedule sample = space->Sample(rng);
      if (seconds(sample) < seconds(best)) best = std::move(sample);
    }
    ratios.push_back(seconds(best) / seconds(schedule));
    if (options.list)
      std::printf("%s %s %.4f %.1f ms\n  default %.1f us %s\n  drawn   %.1f us %s\n", problem.Text().c_str(),
                  arch.c_str(), ratios.back(), milliseconds.back(), 1e6 * seconds(schedule), schedule.Text().c_str(),
                  1e6 * seconds(best), best.Text().c_str());
  }
  double logs = 0;
  for (double ratio : ratios) logs += std::log(ratio);
  std::ranges::sort(ratios);
  std::ranges::sort(milliseconds);
  std::printf(
      "%-6s %-5s %-7s %4zu shapes: geomean %.4f, p10 %.4f, worst %.4f; ms of CPU time: median %.1f, most %.1f\n",
      arch.c_str(), std::string(DataTypeName(type)).c_str(), name, ratios.size(),
      std::exp(logs / static_cast<double>(ratios.size())), ratios[ratios.size() / 10], ratios.front(),
      milliseconds[milliseconds.size() / 2], milliseconds.back());
  std::fflush(stdout);
  return absl::OkStatus();
}

absl::Status PrintAll(const Options& options) {
  for (const std::string& arch : options.archs) {
    for (const std::string& name : options.types) {
      ASSIGN_OR_RETURN(const DataType type, ParseDataType(name));
      RETURN_IF_ERROR(Print("common", CommonShapes(), type, arch, options));
      RETURN_IF_ERROR(Print("random", RandomShapes(options), type, arch, options));
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("Prints how near default schedules come to the best of many random ones, by the time model");
  app.add_option("ARCH", options.archs, "sm_80, sm_90, ...")->required();
  app.add_option("--dtype", options.types, "Elements of A and B: f32, f16, bf16, s8, f64")->delimiter(',');
  app.add_option("--shapes", options.shapes, "Random shapes")->check(CLI::Range(1, 1000000));
  app.add_option("--samples", options.samples, "Schedules drawn for each shape")->check(CLI::Range(1, 100000000));
  app.add_option("--seed", options.seed, "Of the shapes and schedules");
  app.add_flag("--list", options.list, "A line for each shape, and both schedules");
  CLI11_PARSE(app, argc, argv);
  const absl::Status printed = mmtune::PrintAll(options);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "default_table: %s\n", std::string(printed.message()).c_str());
  return 1;
}
