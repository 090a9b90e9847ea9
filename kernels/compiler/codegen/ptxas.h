// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler, run as a process of its own: from PTX to a cubin and what it used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// What `ptxas -v` says of one kernel.
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

/// The path of ptxas: $MMTUNE_PTXAS where that is set and not empty (`none` keeps PTX for the
/// driver to assemble), else in $PATH, $CUDA_HOME/bin or /usr/local/cuda/bin; empty when there is
/// none. Thread-safe; found once.
const std::string& findPtxas();

/// InvalidArgument when $MMTUNE_PTXAS names what cannot be run: PTX is not a silent substitute.
absl::Status checkPtxas();

/// "13.0"; empty when there is no ptxas. Thread-safe; asked once.
const std::string& ptxasVersion();

/// Internal with the first line of ptxas's complaint when it refuses the code.
absl::StatusOr<AssembledCode> assemblePtx(std::string_view ptx, std::string_view arch);

/// Reads the output of `ptxas -v`.
std::map<std::string, KernelUsage> parsePtxasOutput(std::string_view output);

}  // namespace mmtune
