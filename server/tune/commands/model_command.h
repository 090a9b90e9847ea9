// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune model`: finds the matmul problems of a model, shares trials among them for the shortest time of the whole
// model, and builds the model with the best schedules.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/tools/compile_flags.h"
#include "server/tune/commands/options.h"
#include "server/tune/session/console.h"

namespace mmtune {

struct TuneModelOptions {
  JobOptions job;         ///< The problem is not used, and the trials are those of the whole model.
  std::string model;      ///< The path of the model, an MLIR module.
  std::string counts;     ///< A file that says how often the model computes each matmul (ApplyCounts()); empty: none.
  std::string dimension;  ///< A dimension of run-time size and its range, such as "0=1..8192"; empty: none.
  std::string output;     ///< The library to build; empty: none.
  std::string spec;       ///< The tuning spec to write; empty: none.
  ModelRunOptions run;    ///< The function to run, to count its matmuls and to time the model.
  bool force = false;     ///< True to replace a library that exists, and the whole of an earlier spec.
  // Options of the compiler (CompileOptions has their meanings). They affect which matmul problems the model has.
  std::string math = "ieee";
  bool narrow_f64 = false;
  bool no_fusion = false;
  bool sums_as_written = false;

  bool VerifiedOnly() const { return !job.allow_unverified && job.measure.verification; }
};

/// Prints a line for the user on standard error, unless the options ask for quiet.
void NoteOfModel(const TuneModelOptions& options, const Console& console, std::string_view text);

absl::StatusOr<ExitCode> RunModelCommand(const TuneModelOptions& options, const Console& console);

}  // namespace mmtune
