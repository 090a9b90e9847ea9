// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/cuda/driver.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::cuda {
namespace {

absl::StatusCode CodeOf(Result result) {
  switch (result) {
    // NOLINTBEGIN(bugprone-branch-clone): a row of the table each
#define MMTUNE_CASE(name, vendor, value, code) \
  case name:                                   \
    return absl::StatusCode::code;
    MMTUNE_CUDA_RESULTS(MMTUNE_CASE)
#undef MMTUNE_CASE
    // NOLINTEND(bugprone-branch-clone)
  }
  return absl::StatusCode::kInternal;
}

/// The first version with all entry points of the table.
constexpr int kOldestVersion = 11040;

std::string VersionText(int version) { return absl::StrCat(version / 1000, ".", version % 1000 / 10); }

std::string TooOld(const std::string& library, std::string_view why) {
  return absl::StrCat("the CUDA driver ", library, " ", ToAbsl(why), "; ", VersionText(kOldestVersion),
                      " or newer is needed");
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Driver>> Driver::Open(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return NotFound(absl::StrCat("no CUDA driver: ", dlerror()));
  std::unique_ptr<Driver> driver(new Driver);
#define MMTUNE_RESOLVE(member, symbol, parameters)                                     \
  driver->member = reinterpret_cast<decltype(driver->member)>(dlsym(handle, #symbol)); \
  if (driver->member == nullptr) return NotFound(TooOld(library, "has no " #symbol));
  MMTUNE_CUDA_ENTRY_POINTS(MMTUNE_RESOLVE)
#undef MMTUNE_RESOLVE
#define MMTUNE_RESOLVE_OPTIONAL(member, symbol, parameters) \
  driver->member = reinterpret_cast<decltype(driver->member)>(dlsym(handle, #symbol));
  MMTUNE_CUDA_OPTIONAL_ENTRY_POINTS(MMTUNE_RESOLVE_OPTIONAL)
#undef MMTUNE_RESOLVE_OPTIONAL
  if (absl::Status status = MMTUNE_CUDA_CALL(driver, Init, 0); !status.ok()) {
    return NotFound(absl::StrCat("the CUDA driver is unusable: ", status.message()));
  }
  int version = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(driver, DriverGetVersion, &version));
  if (version < kOldestVersion) return NotFound(TooOld(library, absl::StrCat("is of CUDA ", VersionText(version))));
  return std::unique_ptr<const Driver>(std::move(driver));
}

absl::StatusOr<const Driver*> Driver::System() {
  static const auto* driver = new absl::StatusOr<std::unique_ptr<const Driver>>(Open("libcuda.so.1"));
  if (!driver->ok()) return driver->status();
  return (*driver)->get();
}

absl::Status Driver::Check(Result result, std::string_view call) const {
  if (result == kSuccess) return absl::OkStatus();
  const char* name = nullptr;
  const char* description = nullptr;
  if (GetErrorName(result, &name) != kSuccess || name == nullptr) name = "unknown error";
  if (GetErrorString(result, &description) != kSuccess || description == nullptr) description = "no description";
  return absl::Status(CodeOf(result),
                      absl::StrCat(ToAbsl(call), ": ", name, " ", static_cast<int>(result), " (", description, ")"));
}

absl::StatusOr<std::string> Driver::CudaVersion() const {
  int version = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(this, DriverGetVersion, &version));
  return VersionText(version);
}

}  // namespace mmtune::cuda
