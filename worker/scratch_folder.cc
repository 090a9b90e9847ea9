#include "worker/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kPrefix[] = "mmtune-worker-";
constexpr char kLockName[] = "/owner.lock";

std::string BaseFolder() {
  const char* base = getenv("TMPDIR");
  return base != nullptr && *base != '\0' ? base : "/tmp";
}

void Remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

/// The locked file of a new folder, or -1. It gets its name when it is locked: RemoveStale() never finds it unlocked
/// while the owner lives.
int LockNewFolder(const std::string& folder) {
  const std::string path = folder + kLockName, unnamed = path + ".new";
  int fd = open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && rename(unnamed.c_str(), path.c_str()) == 0) return fd;
  close(fd);
  return -1;
}

void RemoveIfStale(const std::string& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
  int fd = open((folder + kLockName).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return;  // about to be locked, or not one of ours
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    LogInfo("stale_scratch_folder", {{"path", folder}});
    Remove(folder);
  }
  close(fd);
}

}  // namespace

absl::StatusOr<ScratchFolder> ScratchFolder::Create() {
  std::string path = absl::StrCat(BaseFolder(), "/", kPrefix, "XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return FailedPrecondition(
        absl::StrCat("cannot make a folder ", path, ": ", strerror(errno), "; set TMPDIR to a writable folder"));
  }
  int lock = LockNewFolder(path);
  if (lock < 0) LogWarning("scratch_folder_not_locked", {{"path", path}, {"error", std::string_view(strerror(errno))}});
  return ScratchFolder(path, lock);
}

void ScratchFolder::RemoveStale() {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(BaseFolder(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (absl::StartsWith(entry->path().filename().native(), kPrefix)) RemoveIfStale(entry->path());
  }
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) Remove(path_);
  if (lock_ >= 0) close(lock_);
}

}  // namespace mmtune
