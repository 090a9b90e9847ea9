// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// numerics_cost: what `--numerics batch-invariant` costs by the formula of the family mma. For the buckets of M of each
// product it predicts the fastest kernel of any order of additions, and the fastest with the signature that all kernels
// of a dispatch table share (server/tune/commands/row_numerics.h).
//
// usage: numerics_cost ARCH [--shapes 4096x4096,...] [--dtype bf16] [--multiprocessors 132] [--to 2048]
// Prints a Markdown table: for each N and K the shared signature, and by how much the buckets are slower with it, in
// the geometric mean and at most. They are compared with kernels that take M at run time, as those of a dispatch table
// do, and with all kernels, each compiled for its M.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "proto/base/status.h"
#include "search/space/restricted_family.h"
#include "search/space/search_space.h"
#include "search/strategies/kernel_selection.h"
#include "server/tune/commands/row_numerics.h"

namespace mmtune {
namespace {

constexpr char kAllKernels[] = "mma";
constexpr char kRunTimeRows[] = "mma split_k=1 stream_k=1";

struct Options {
  std::string arch;
  std::vector<std::string> shapes = {"4096x4096", "12288x4096", "4096x16384", "1024x8192"};
  std::string dtype = "bf16";
  int64_t multiprocessors = 132;
  int64_t to = 2048;
  int draws = 1024;
};

/// Returns the predicted time of the fastest schedule that is found: the best of some draws, improved step by step.
absl::StatusOr<double> Fastest(const MatmulProblem& problem, const DeviceInfo& device, const std::string& text,
                               const Numerics& numerics, int draws) {
  ASSIGN_OR_RETURN(FamilyPart part, ParseFamilyPart(text));
  ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(part.family));
  ASSIGN_OR_RETURN(ScheduleConstraint rule, SummationRule(part.family, problem, device, numerics));
  ASSIGN_OR_RETURN(const std::unique_ptr<KernelFamily> restricted,
                   RestrictedFamily::Create(*family, std::move(part), problem, device, std::move(rule)));
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchSpace> space, SearchSpace::Create(problem, device, {restricted.get()}));
  SearchRng rng = MakeStream(/*seed=*/1, 0);
  Schedule best = space->Sample(rng);
  const auto seconds = [&space](const Schedule& schedule) {
    const std::optional<PredictedTime> time = space->Predict(schedule);
    return time ? time->total : std::numeric_limits<double>::infinity();
  };
  double least = seconds(best);
  const auto consider = [&](const Schedule& schedule) {
    if (seconds(schedule) >= least) return false;
    least = seconds(schedule);
    best = schedule;
    return true;
  };
  for (int i = 1; i < draws; ++i) consider(space->Sample(rng));
  for (bool improved = true; improved;) {
    improved = false;
    for (const Schedule& neighbour : space->Neighbours(best)) improved |= consider(neighbour);
  }
  return least;
}

/// Slowdowns over the buckets of a product.
struct Slowdown {
  double logs = 0, most = 0;
  int64_t most_at = 0;

  void Add(double ratio, int64_t m) {
    logs += std::log(ratio);
    if (ratio - 1 > most) most = ratio - 1, most_at = m;
  }
  std::string Text(size_t buckets) const {
    char text[64];
    std::snprintf(text, sizeof text, "%.1f | %.1f (M = %lld)",
                  100 * (std::exp(logs / static_cast<double>(buckets)) - 1), 100 * most,
                  static_cast<long long>(most_at));
    return text;
  }
};

absl::Status Print(const Options& options) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(options.arch));
  device.kind = DeviceKind::kCuda;
  device.multiprocessors = options.multiprocessors;
  ASSIGN_OR_RETURN(const DataType dtype, ParseDataType(options.dtype));
  std::printf(
      "| NxK | signature | run-time M: mean [%%] | most [%%] | all kernels: mean [%%] | most [%%] |\n"
      "|---|---|---|---|---|---|\n");
  for (const std::string& shape : options.shapes) {
    std::vector<MatmulProblem> buckets;
    for (const int64_t m : HalfOctaves(1, options.to)) {
      ASSIGN_OR_RETURN(buckets.emplace_back(), ParseMatmulShape(absl::StrCat(m, "x", shape), dtype));
    }
    ASSIGN_OR_RETURN(const SharedSignature shared, ChooseSharedSignature(buckets, {kRunTimeRows}, device));
    Slowdown run_time, all;
    for (const MatmulProblem& bucket : buckets) {
      const Numerics same = {Numerics::Contract::kSameAs, shared.text};
      ASSIGN_OR_RETURN(const double ours, Fastest(bucket, device, kRunTimeRows, same, options.draws));
      ASSIGN_OR_RETURN(const double any, Fastest(bucket, device, kRunTimeRows, {}, options.draws));
      ASSIGN_OR_RETURN(const double of_all, Fastest(bucket, device, kAllKernels, {}, options.draws));
      // A wider space has no slower best schedule, though its search may miss it.
      run_time.Add(ours / std::min(ours, any), bucket.m);
      all.Add(ours / std::min({ours, any, of_all}), bucket.m);
    }
    std::printf("| %s | %s | %s | %s |\n", shape.c_str(), shared.text.c_str(), run_time.Text(buckets.size()).c_str(),
                all.Text(buckets.size()).c_str());
    std::fflush(stdout);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("What --numerics batch-invariant costs, by the formula of the family mma");
  app.add_option("ARCH", options.arch, "The architecture, such as sm_90")->required();
  app.add_option("--shapes", options.shapes, "N and K of the products")->delimiter(',');
  app.add_option("--dtype", options.dtype, "The type of A and B");
  app.add_option("--multiprocessors", options.multiprocessors, "Those of the device");
  app.add_option("--to", options.to, "The largest M");
  app.add_option("--draws", options.draws, "Schedules to begin with, of each space");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::Print(options);
  if (!status.ok()) std::fprintf(stderr, "numerics_cost: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
