// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs NVIDIA's assembler as a child process: from PTX to a cubin and the resources of its kernels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// The resources that `ptxas -v` reports for one kernel.
struct KernelUsage {
  int64_t registers = 0;
  int64_t spillBytes = 0;  ///< Spill stores plus spill loads.
  int64_t staticShared = 0;

  bool operator==(const KernelUsage&) const = default;
};

struct AssembledCode {
  std::string cubin;
  std::map<std::string, KernelUsage> kernels;  ///< By name.
};

/// Returns the path of ptxas: $MMTUNE_PTXAS if set and not empty (`none` keeps PTX for the driver to assemble), else
/// the first in $PATH, $CUDA_HOME/bin or /usr/local/cuda/bin; empty when there is none. Thread-safe; cached.
const std::string& findPtxas();

/// Returns InvalidArgument when $MMTUNE_PTXAS cannot be run, rather than silently using PTX.
absl::Status checkPtxas();

/// Returns the version, "13.0"; empty when there is no ptxas. Thread-safe; cached.
const std::string& ptxasVersion();

/// Assembles `ptx`. Internal with the first line of ptxas's error when it rejects the code.
absl::StatusOr<AssembledCode> assemblePtx(std::string_view ptx, std::string_view arch);

/// Parses the output of `ptxas -v`.
std::map<std::string, KernelUsage> parsePtxasOutput(std::string_view output);

}  // namespace mmtune
