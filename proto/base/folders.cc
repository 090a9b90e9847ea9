// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/folders.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home) {
  const char* folder = getenv(variable);
  if (folder != nullptr && folder[0] == '/') return absl::StrCat(folder, "/mmtune");
  const char* home = getenv("HOME");
  if (home == nullptr || home[0] != '/') return FailedPrecondition("HOME is not set to an absolute path");
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

namespace {

constexpr char kLockName[] = "/owner.lock";

void Remove(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) LogWarning("temporary_folder_not_removed", {{"path", path}, {"error", error.message()}});
}

/// The locked file of a new folder, or -1. It gets its name when it is locked: RemoveAbandoned() never finds it
/// unlocked while the owner lives.
int LockNewFolder(const std::string& folder) {
  const std::string path = folder + kLockName, unnamed = path + ".new";
  int fd = open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && rename(unnamed.c_str(), path.c_str()) == 0) return fd;
  close(fd);
  return -1;
}

void RemoveIfAbandoned(const std::string& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
  int fd = open((folder + kLockName).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;  // about to be locked, or not one of ours
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    LogInfo("abandoned_folder", {{"path", folder}});
    Remove(folder);
  }
  close(fd);
}

}  // namespace

std::string TemporaryParent() {
  const char* parent = getenv("TMPDIR");
  return parent != nullptr && *parent != '\0' ? parent : "/tmp";
}

absl::StatusOr<OwnedFolder> OwnedFolder::Create(const std::string& parent, std::string_view prefix) {
  std::string path = absl::StrCat(parent, "/", ToAbsl(prefix), std::string(kSuffixLength, 'X'));
  if (mkdtemp(path.data()) == nullptr) {
    return FailedPrecondition(
        absl::StrCat("cannot make a folder in ", parent, ": ", strerror(errno), "; set TMPDIR to a writable folder"));
  }
  int lock = LockNewFolder(path);
  if (lock < 0) LogWarning("folder_not_locked", {{"path", path}, {"error", std::string_view(strerror(errno))}});
  return OwnedFolder(std::move(path), lock);
}

void OwnedFolder::RemoveAbandoned(const std::string& parent, std::string_view prefix) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (name.size() == prefix.size() + kSuffixLength && name.starts_with(prefix)) {
      RemoveIfAbandoned(entry->path().native());
    }
  }
}

OwnedFolder::OwnedFolder(OwnedFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)) {}

OwnedFolder& OwnedFolder::operator=(OwnedFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

OwnedFolder::~OwnedFolder() {
  if (!path_.empty()) Remove(path_);
  if (lock_ >= 0) close(lock_);
}

}  // namespace mmtune
