// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sass_facts: the hot loop of a kernel in a cubin, ours or another's, in JSON; what sass_table reads.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/sass.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/types/field_json.h"

namespace mmtune {
namespace {

struct Options {
  std::string cubin, arch, kernel;
  int64_t threads = 0, registers = 0, shared_bytes = 0;
};

/// The predicted peak fraction of the peak of f32 with 1, 2 and so on blocks, as many as a multiprocessor holds.
absl::StatusOr<std::vector<double>> SharesOf(const Options& options, const SassFunction& function,
                                             const SassLoop& loop) {
  std::string arch = options.arch;  // Without the letter of "sm_90a".
  while (!arch.empty() && std::isdigit(static_cast<unsigned char>(arch.back())) == 0) arch.pop_back();
  ASSIGN_OR_RETURN(const DeviceInfo device, ArchitectureLimits(arch));
  ScheduleGeometry geometry;
  geometry.threads = options.threads;
  geometry.registers = options.registers;
  geometry.sharedBytes = options.shared_bytes;
  const std::vector<double> wavefronts = WavefrontsOf(function, loop, /*counters=*/nullptr);
  std::vector<double> shares;
  const SchedulerRates rates = RatesOfProblem(MatmulProblem(), device);
  const int64_t resident = ResidentBlocks(geometry, device);
  for (int64_t blocks = 1; blocks <= resident; ++blocks) {
    ASSIGN_OR_RETURN(const ModelledRate rate,
                     ModelResident(function, loop, wavefronts, rates, blocks, geometry.warps()));
    shares.push_back(rate.share);
  }
  return shares;
}

absl::Status PrintFacts(const Options& options) {
  ASSIGN_OR_RETURN(const std::string cubin, ReadWholeFile(options.cubin));
  ASSIGN_OR_RETURN(const SassListing listing, Disassemble(cubin, options.arch));
  const SassFunction* function = options.kernel.empty() ? &listing.functions.front() : listing.Find(options.kernel);
  if (function == nullptr) return NotFound(options.cubin + " has no kernel " + options.kernel);
  ASSIGN_OR_RETURN(const SassLoop loop, FindHotLoop(*function));
  auto facts = ToJson(FactsOf(*function, loop));
  if (options.threads > 0) {
    ASSIGN_OR_RETURN(const std::vector<double> shares, SharesOf(options, *function, loop));
    facts["shares"] = shares;
  }
  std::printf("%s\n", Dump(facts).c_str());
  return absl::OkStatus();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  mmtune::Options options;
  CLI::App app("Prints what the hot loop of a kernel is made of");
  app.add_option("cubin", options.cubin, "The cubin")->required();
  app.add_option("--arch", options.arch, "What it is for, e.g. sm_80")->required();
  app.add_option("--kernel", options.kernel, "The kernel's name; the first one if left out");
  app.add_option(
      "--threads", options.threads,
      "Of a block: the predicted peak fraction of peak with 1, 2 and so on resident blocks, as many as there can be");
  app.add_option("--registers", options.registers, "Of a thread, which limit the resident blocks");
  app.add_option("--shared-bytes", options.shared_bytes, "Of a block, likewise");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::PrintFacts(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "sass_facts: %s\n", std::string(status.message()).c_str());
  return 1;
}
