// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver, opened at run time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver_types.h"

namespace mmtune::cuda {

/// The driver's functions. Immutable and thread-safe; the library stays open until the process ends.
class Driver {
 public:
  /// Opens and initialises a driver library. NotFound, with the reason, when there is none, it is too old, or it finds
  /// no device.
  static absl::StatusOr<std::unique_ptr<const Driver>> Open(const std::string& library);

  /// The machine's driver, opened at the first call; its result never changes.
  static absl::StatusOr<const Driver*> System();

#define MMTUNE_DECLARE(member, symbol, parameters) Result(*member) parameters = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): they are functions
  MMTUNE_CUDA_ENTRY_POINTS(MMTUNE_DECLARE)
  MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(MMTUNE_DECLARE)
  // NOLINTEND(readability-identifier-naming)
#undef MMTUNE_DECLARE

  /// OK, or an error "cuX: CUDA_ERROR_Y (description)" with the code of Device's contract: Aborted for errors that no
  /// call of this process survives, Unavailable where the device or the driver is lost or held by others, Unimplemented
  /// where the driver is too old for the code.
  absl::Status Check(Result result, std::string_view call) const;

 private:
  Driver() = default;
};

}  // namespace mmtune::cuda

/// Calls `member` of `driver` (a pointer) and turns its result into a Status that names the function.
#define MMTUNE_CUDA_CALL(driver, member, ...) (driver)->Check((driver)->member(__VA_ARGS__), "cu" #member)
