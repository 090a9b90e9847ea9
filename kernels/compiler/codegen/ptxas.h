// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs NVIDIA's assembler ptxas as a child process. It assembles PTX to a cubin, and reports the registers, spills and
// shared memory of each kernel. Where ptxas is not installed, PTX is passed to the driver, which assembles it without
// reporting these.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The resources of one kernel, as `ptxas -v` reports them.
struct KernelUsage {
  int64_t registers = 0;
  int64_t spillBytes = 0;    ///< Spill stores plus spill loads.
  int64_t staticShared = 0;  ///< Bytes of static shared memory.

  bool operator==(const KernelUsage&) const = default;
};

/// A cubin and the resources of its kernels.
struct AssembledCode {
  std::string cubin;
  std::map<std::string, KernelUsage> kernels;  ///< Resources by kernel name.
  std::vector<std::string> warnings;           ///< See parsePtxasWarnings().
};

/// Returns the path of ptxas, or an empty string if there is none. It is $MMTUNE_PTXAS if that is set and not empty
/// (`none` disables ptxas), otherwise the first in $PATH, $CUDA_HOME/bin and /usr/local/cuda/bin. The result is cached.
/// Thread-safe.
const std::string& findPtxas();

/// Returns InvalidArgument if $MMTUNE_PTXAS names a program that cannot be run.
absl::Status checkPtxas();

/// Returns the version of ptxas, such as "13.0", or an empty string if there is none. The result is cached.
/// Thread-safe.
const std::string& ptxasVersion();

/// Assembles `ptx` for `arch`, such as "sm_90a". Returns FailedPrecondition if there is no ptxas. Returns Internal,
/// with the first line of ptxas's error, if ptxas rejects the code, and also if it takes longer than 10 minutes or
/// writes no cubin.
absl::StatusOr<AssembledCode> assemblePtx(std::string_view ptx, std::string_view arch);

/// Returns the resources of each kernel, by its name, from the output of `ptxas -v`.
std::map<std::string, KernelUsage> parsePtxasOutput(std::string_view output);

/// Returns the warnings in the output of ptxas, and its notes about the speed of the code, each once. For the line
///
///   ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to ...
///
/// it returns "C7510: Potential Performance Loss: wgmma.mma_async instructions are serialized due to ...".
std::vector<std::string> parsePtxasWarnings(std::string_view output);

}  // namespace mmtune
