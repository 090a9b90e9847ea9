// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sass_facts: the hot loop of a kernel in a cubin, ours or another's, in JSON; what sass_table reads.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "kernels/profile/disassembler.h"
#include "kernels/profile/loop_facts.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/types/field_json.h"

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
  std::printf("%s\n", Dump(ToJson(FactsOf(*function, loop))).c_str());
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
