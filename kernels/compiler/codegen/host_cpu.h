// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor that host code, and code for the SIMT device, is made for.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

/// A processor as LLVM names it.
struct HostCpu {
  std::string name;
  std::string features;  ///< "+avx2,-avx512f"; empty: those of the name.
};

/// `name` is one of LLVM's ("x86-64-v3", "skylake"), or "native" for this machine's processor;
/// empty: what the environment variable MMTUNE_HOST_CPU says, else native. InvalidArgument for
/// others. Thread-safe.
absl::StatusOr<HostCpu> findHostCpu(std::string_view name);

/// FailedPrecondition when this machine's processor lacks something that code for `name` may use.
absl::Status checkRunsHere(std::string_view name);

}  // namespace mmtune
