// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's disassembler, run as a process of its own.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/perf_model/profile/sass.h"

namespace mmtune {

/// The path of nvdisasm: $MMTUNE_NVDISASM where that is set and not empty (`none`: there is none), else in $PATH,
/// $CUDA_HOME/bin or /usr/local/cuda/bin; empty when there is none. Thread-safe.
std::string FindDisassembler();

/// The machine code of a cubin. FailedPrecondition when there is no disassembler; InvalidArgument with its first line
/// when it refuses the cubin, as one of an architecture that it does not know, and when the cubin is of another one
/// than `arch`.
absl::StatusOr<SassListing> Disassemble(std::string_view cubin, std::string_view arch);

}  // namespace mmtune
