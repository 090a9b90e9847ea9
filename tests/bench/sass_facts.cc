// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sass_facts: the hot loop of a kernel in a cubin, ours or another's, in JSON; what sass_table reads.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/profile/disassembler.h"
#include "kernels/profile/loop_facts.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

struct Options {
  std::string cubin, arch, kernel;
};

absl::Status PrintFacts(const Options& options) {
  ASSIGN_OR_RETURN(const std::string cubin, ReadWholeFile(options.cubin));
  ASSIGN_OR_RETURN(const SassListing listing, Disassemble(cubin, options.arch));
  const SassFunction* function = options.kernel.empty() ? &listing.functions.front() : listing.Find(options.kernel);
  if (function == nullptr) return NotFound(options.cubin + " has no kernel " + options.kernel);
  ASSIGN_OR_RETURN(const SassLoop loop, FindHotLoop(*function));
  const LoopFacts facts = FactsOf(*function, loop);
  const nlohmann::ordered_json json = {
      {"kernel", function->name},
      {"instructions", facts.instructions},
      {"code_bytes", facts.code_bytes},
      {"mix", facts.mix},
      {"multiply_adds", facts.multiply_adds},
      {"shared_read_bytes", facts.shared_read_bytes},
      {"stalls", facts.stalls},
      {"register_bank_conflicts", facts.register_bank_conflicts},
  };
  std::printf("%s\n", json.dump(2).c_str());
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
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = mmtune::PrintFacts(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "sass_facts: %s\n", std::string(status.message()).c_str());
  return 1;
}
