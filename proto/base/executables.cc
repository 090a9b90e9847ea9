// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/executables.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune {

bool IsProgram(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

std::string ExecutablePath() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "/proc/self/exe" : path.string();
}

std::string ExecutableFolder() { return std::filesystem::path(ExecutablePath()).parent_path(); }

std::string FindOnPath(std::string_view name, std::string_view more) {
  const char* path = getenv("PATH");
  const std::string folders = absl::StrCat(path == nullptr ? "" : path, ":", ToAbsl(more));
  for (absl::string_view folder : absl::StrSplit(folders, ':', absl::SkipEmpty())) {
    std::string candidate = absl::StrCat(folder, "/", ToAbsl(name));
    if (IsProgram(candidate)) return candidate;
  }
  return "";
}

std::string FindCudaTool(std::string_view name, const char* variable) {
  const char* given = std::getenv(variable);
  if (given != nullptr && *given != '\0') return IsProgram(given) ? given : "";
  const char* home = std::getenv("CUDA_HOME");
  return FindOnPath(name, absl::StrCat(home != nullptr ? absl::StrCat(home, "/bin:") : "", "/usr/local/cuda/bin"));
}

absl::StatusOr<std::string> FindProgram(std::string_view name) {
  std::string beside = absl::StrCat(ExecutableFolder(), "/", ToAbsl(name));
  if (IsProgram(beside)) return beside;
  std::string found = FindOnPath(name);
  if (!found.empty()) return found;
  return NotFound(
      absl::StrCat("there is no ", ToAbsl(name), " in ", ExecutableFolder(), " or on PATH: install it there"));
}

}  // namespace mmtune
