// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/user_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home) {
  const char* folder = getenv(variable);
  if (folder != nullptr && folder[0] == '/') return absl::StrCat(folder, "/mmtune");
  const char* home = getenv("HOME");
  if (home == nullptr || home[0] != '/') return FailedPrecondition("HOME is not set");
  std::error_code error;
  if (!std::filesystem::is_directory(home, error)) {
    return FailedPrecondition(absl::StrCat("HOME is ", home, ", which is not a folder"));
  }
  return absl::StrCat(home, "/", ToAbsl(below_home), "/mmtune");
}

absl::StatusOr<std::string> StateFolder(std::string_view name) {
  ASSIGN_OR_RETURN(const std::string folder, UserFolder("XDG_STATE_HOME", ".local/state"));
  return absl::StrCat(folder, "/", ToAbsl(name));
}

absl::StatusOr<std::string> DefaultSpoolFolder() { return StateFolder("worker"); }

}  // namespace mmtune
