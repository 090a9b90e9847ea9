#include "worker/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<ScratchFolder> ScratchFolder::Create() {
  const char* base = getenv("TMPDIR");
  std::string path = absl::StrCat(base != nullptr && *base != '\0' ? base : "/tmp", "/mmtune-worker-XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return FailedPrecondition(
        absl::StrCat("cannot make a folder ", path, ": ", strerror(errno), "; set TMPDIR to a writable folder"));
  }
  return ScratchFolder(path);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mmtune
