// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/xgboost_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kHowToGetIt[] =
    "; $MMTUNE_XGBOOST may name libxgboost.so 1.7 or newer, which PyPI's xgboost-cpu carries (docs/dependencies.md)";

}  // namespace

absl::StatusOr<std::unique_ptr<const XgboostLibrary>> XgboostLibrary::Open(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return NotFound(absl::StrCat("no XGBoost: ", dlerror(), kHowToGetIt));
  std::unique_ptr<XgboostLibrary> library(new XgboostLibrary);
#define MMTUNE_RESOLVE(member, symbol, parameters)                                       \
  library->member = reinterpret_cast<decltype(library->member)>(dlsym(handle, #symbol)); \
  if (library->member == nullptr) return NotFound(absl::StrCat("XGBoost: ", path, " has no " #symbol, kHowToGetIt));
  MMTUNE_XGBOOST_ENTRY_POINTS(MMTUNE_RESOLVE)
#undef MMTUNE_RESOLVE
  library->last_error_ = reinterpret_cast<const char* (*)()>(dlsym(handle, "XGBGetLastError"));
  return std::unique_ptr<const XgboostLibrary>(std::move(library));
}

absl::StatusOr<const XgboostLibrary*> XgboostLibrary::System() {
  static const auto* library = [] {
    const char* path = std::getenv("MMTUNE_XGBOOST");
    return new absl::StatusOr<std::unique_ptr<const XgboostLibrary>>(
        Open(path != nullptr && *path != '\0' ? path : "libxgboost.so"));
  }();
  if (!library->ok()) return library->status();
  return library->value().get();
}

absl::Status XgboostLibrary::Check(int result) const {
  if (result == 0) return absl::OkStatus();
  const char* error = last_error_ != nullptr ? last_error_() : nullptr;
  std::string_view text = error != nullptr ? error : "";
  return Internal(absl::StrCat("XGBoost: ", ToAbsl(text.substr(0, text.find('\n')))));
}

}  // namespace mmtune
