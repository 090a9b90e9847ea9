#include "server/cli/run_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

// A socket's path holds 107 characters; ours are "<folder>/mmtune-XXXXXX/tuning.sock".
constexpr size_t kLongestParent = 70;

std::vector<std::string> Parents() {
  std::vector<std::string> parents;
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = getenv(name);
    if (value != nullptr && value[0] == '/' && strlen(value) <= kLongestParent) parents.emplace_back(value);
  }
  parents.emplace_back("/tmp");
  return parents;
}

}  // namespace

absl::StatusOr<RunFolder> RunFolder::Create() {
  std::string why;
  for (const std::string& parent : Parents()) {
    std::string path = absl::StrCat(parent, "/mmtune-XXXXXX");
    if (mkdtemp(path.data()) != nullptr) return RunFolder(std::move(path));
    why = absl::StrCat(parent, ": ", strerror(errno));
  }
  return Internal(absl::StrCat("cannot make a temporary folder in ", why, "; set TMPDIR to one that can be written"));
}

RunFolder::RunFolder(RunFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

RunFolder::~RunFolder() {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error) LogWarning("temporary folder not removed", {{"path", path_}, {"why", error.message()}});
}

}  // namespace mmtune
