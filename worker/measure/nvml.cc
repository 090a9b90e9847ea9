// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/nvml.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::nvml {

absl::StatusOr<std::unique_ptr<const Library>> Library::Open(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return NotFound(absl::StrCat("no NVML: ", dlerror()));
  std::unique_ptr<Library> library(new Library);
#define MMTUNE_RESOLVE(member, symbol, parameters)                                                        \
  library->member = reinterpret_cast<decltype(library->member)>(dlsym(handle, #symbol));                  \
  if (library->member == nullptr) {                                                                       \
    return NotFound(absl::StrCat("NVML (", path, ") has no " #symbol "; driver 510 or newer is needed")); \
  }
  MMTUNE_NVML_ENTRY_POINTS(MMTUNE_RESOLVE)
#undef MMTUNE_RESOLVE
  library->error_string_ = reinterpret_cast<const char* (*)(Result)>(dlsym(handle, "nvmlErrorString"));
  if (Result result = library->Init(); result != kSuccess) {
    return NotFound(absl::StrCat("NVML is unusable: ", library->ErrorText(result)));
  }
  library->initialised_ = true;
  return std::unique_ptr<const Library>(std::move(library));
}

Library::~Library() {
  if (initialised_) Shutdown();
}

std::string Library::ErrorText(Result result) const {
  const char* text = error_string_ != nullptr ? error_string_(result) : nullptr;
  return absl::StrCat(text != nullptr ? text : "error", " (", static_cast<int>(result), ")");
}

}  // namespace mmtune::nvml
