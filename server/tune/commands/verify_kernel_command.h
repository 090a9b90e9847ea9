// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune verify FILE`: verifies a kernel in PTX that mmtune did not generate, and prints the verdict.
// docs/verify-any-kernel.md has examples.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"
#include "server/tune/commands/commands.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// The options of `tune verify FILE`, by the names that they have on the command line.
struct VerifyKernelOptions {
  std::string file;
  KernelLaunch launch;              ///< --kernel, --grid, --block, --cluster, --shared, --arg.
  std::string launches;             ///< A file of launches, in place of `launch`, `gemm` and `shapes`.
  std::string gemm;                 ///< The buffers of C = A*B, "A,B,C", whose results are checked; empty: none.
  std::vector<std::string> shapes;  ///< The "MxNxK" to run with; empty: two defaults, if `launch` has M, N or K.
  std::string arch;                 ///< The architecture whose limits hold; empty: the target of the PTX.
  int64_t fuzzing_runs = 3;         ///< --stress: the number of runs of each shape with random thread orders.
  int64_t limit = 60;               ///< The most seconds that the compilation and each run may take.
  OutputFormat format = OutputFormat::kTable;
};

/// Returns the request that the options describe. Returns InvalidArgument if the file of launches cannot be read or is
/// not valid.
absl::StatusOr<KernelVerifyRequest> MakeKernelRequest(const VerifyKernelOptions& options);

/// The column in which the values of a verdict begin.
inline constexpr size_t kVerdictIndent = 15;
/// Returns the details of a finding, line by line, to follow a verdict; empty if there are none.
std::string DetailText(const VerificationReport& verification, const TableStyle& style);
/// Returns the verdict as text for a person, in about one screen, or in one line if a time limit was all that was
/// found. In Markdown and CSV, it is a table (FieldList). The one line may be longer than `style.width`.
std::string KernelVerdictText(const KernelVerifyAnswer& answer, const TableStyle& style = {});
/// Returns one JSON object on one line.
std::string KernelVerdictJson(const KernelVerifyRequest& request, const KernelVerifyAnswer& answer);

/// Returns kOk if the kernel is verified, kNoResult if it is not.
absl::StatusOr<ExitCode> RunVerifyKernelCommand(const VerifyKernelOptions& options, const Console& console);

/// Adds `tune verify kernel` to the command `verify`.
void AddVerifyKernelCommand(Commands& commands, CLI::App& verify);

/// Returns the words of a command line, with "kernel" inserted into `tune verify FILE`, which is short for `tune verify
/// kernel FILE`. A word with a dot or a slash is taken to be a file, and any other word a subcommand.
std::vector<std::string> WithKernelCommand(std::vector<std::string> words);

}  // namespace mmtune
