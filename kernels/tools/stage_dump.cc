// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/stage_dump.h"

#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/tools/output_files.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

absl::Status Cannot(const std::string& folder, std::string_view why) {
  return InvalidArgument(absl::StrCat("--dump-after-stage ", folder, ": ", ToAbsl(why)));
}

}  // namespace

absl::StatusOr<StageDump> StageDump::In(const std::string& folder) {
  std::error_code failed;
  const fs::file_status present = fs::status(folder, failed);
  const bool exists = fs::exists(present);
  if (exists && !fs::is_directory(present)) return Cannot(folder, "it is a file; name a folder");
  if (!exists && failed && failed != std::errc::no_such_file_or_directory) return Cannot(folder, failed.message());
  const fs::path parent = fs::absolute(folder).lexically_normal().parent_path();
  const fs::path written = exists ? fs::path(folder) : folder.ends_with('/') ? parent.parent_path() : parent;
  if (access(written.c_str(), W_OK | X_OK) != 0) return Cannot(folder, strerror(errno));
  if (exists && !fs::is_empty(folder, failed)) {
    return Cannot(folder, failed ? failed.message() : "it is not empty; name a new folder");
  }
  return StageDump(folder);
}

absl::Status StageDump::Write(int number, std::string_view pass, std::string_view text) {
  std::error_code failed;
  fs::create_directory(folder_, failed);
  if (failed) return Cannot(folder_, failed.message());
  const std::string path = absl::StrFormat("%s/%02d-%s.mlir", folder_, number, ToAbsl(pass));
  OutputFiles file;
  RETURN_IF_ERROR(file.Write(path, text));
  return file.Commit();
}

}  // namespace mmtune
