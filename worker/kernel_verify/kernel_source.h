// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the PTX of a kernel that mmtune did not generate, from a file or from a folder of Triton's cache. The JSON file
// in such a folder also has launch parameters.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"

namespace mmtune {

struct KernelSource {
  std::string name;  ///< The name of the PTX file, without folders.
  std::string ptx;
  /// The kernel, block, cluster and shared memory from Triton's JSON file; nullopt for a PTX file.
  std::optional<KernelLaunch> launch;
};

/// The size of the largest PTX text that is read.
inline constexpr int64_t kMostPtxBytes = int64_t{8} << 20;

/// Reads a file or folder. Returns InvalidArgument for a folder that does not hold exactly one kernel of Triton's
/// cache, and for a text larger than kMostPtxBytes; also for CUDA sources (.cu) and machine code (.cubin), with the
/// command that makes PTX of them. Returns Unavailable for a file that cannot be read.
absl::StatusOr<KernelSource> ReadKernelSource(const std::string& path);

/// Sets kernel, block, cluster and shared memory of `launch` to those of the source, but only where `launch` has the
/// default. Does nothing for a source without launch. For a request with one launch only.
void CompleteLaunch(const KernelSource& source, KernelLaunch* launch);

}  // namespace mmtune
