// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the PTX of a kernel that mmtune did not generate: a file, or a folder of Triton's cache, whose JSON file also
// says how the kernel is launched.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"

namespace mmtune {

struct KernelSource {
  std::string name;  ///< The name of the PTX file, without folders.
  std::string ptx;
  /// The kernel, block, cluster and shared memory that Triton's JSON file says.
  std::optional<KernelLaunch> launch;
};

/// The largest PTX text that is read.
inline constexpr int64_t kMostPtxBytes = int64_t{8} << 20;

/// Returns InvalidArgument for sources (.cu) and machine code (.cubin), with the command that makes PTX of them, for a
/// folder that is not one kernel of Triton's cache, and for a text beyond kMostPtxBytes; Unavailable for a file that
/// cannot be read.
absl::StatusOr<KernelSource> ReadKernelSource(const std::string& path);

/// Completes the only launch of a request by what the source says; what the request says goes first.
void CompleteLaunch(const KernelSource& source, KernelLaunch* launch);

}  // namespace mmtune
