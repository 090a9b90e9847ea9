#include "server/cli/run_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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
constexpr char kPrefix[] = "mmtune-";
constexpr size_t kNameLength = 13;
// Locked by the folder's owner for as long as it lives.
constexpr char kOwnerFile[] = "owner";

std::vector<std::string> Parents() {
  std::vector<std::string> parents;
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = getenv(name);
    if (value != nullptr && value[0] == '/' && strlen(value) <= kLongestParent) parents.emplace_back(value);
  }
  parents.emplace_back("/tmp");
  return parents;
}

bool IsOurFolder(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name.size() != kNameLength || name.rfind(kPrefix, 0) != 0) return false;
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

void RemoveIfOwnerDied(const std::filesystem::path& folder) {
  const int fd = open((folder / kOwnerFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;  // being made, or not one of ours
  std::error_code ignored;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(folder, ignored);
  close(fd);
}

void Sweep(const std::string& parent) {
  std::error_code error;
  std::filesystem::directory_iterator entry(parent, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (IsOurFolder(entry->path())) RemoveIfOwnerDied(entry->path());
  }
}

}  // namespace

absl::StatusOr<RunFolder> RunFolder::Create() {
  std::string why;
  for (const std::string& parent : Parents()) {
    Sweep(parent);
    std::string path = absl::StrCat(parent, "/", kPrefix, "XXXXXX");
    if (mkdtemp(path.data()) != nullptr) {
      RunFolder folder(std::move(path));
      if (folder.MarkOwned()) return folder;
    }
    why = absl::StrCat(parent, ": ", strerror(errno));
  }
  return Internal(absl::StrCat("cannot make a temporary folder in ", why, "; set TMPDIR to one that can be written"));
}

// The file gets its name once it is locked: never seen unlocked while its owner lives.
bool RunFolder::MarkOwned() {
  const std::string unlocked = absl::StrCat(path_, "/new");
  lock_fd_ = open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return lock_fd_ >= 0 && flock(lock_fd_, LOCK_EX | LOCK_NB) == 0 &&
         rename(unlocked.c_str(), absl::StrCat(path_, "/", kOwnerFile).c_str()) == 0;
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_fd_, other.lock_fd_);
  return *this;
}

RunFolder::~RunFolder() {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error) LogWarning("temporary folder not removed", {{"path", path_}, {"why", error.message()}});
  if (lock_fd_ >= 0) close(lock_fd_);
}

}  // namespace mmtune
