// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/common/lock_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::Status Refused(const std::string& path, std::string_view why) {
  return FailedPrecondition(absl::StrCat(path, ": ", ToAbsl(why)));
}

bool IsOwnGroup(gid_t group) {
  if (group == getegid()) return true;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
  const int count = getgroups(static_cast<int>(groups.size()), groups.data());
  return count > 0 && std::find(groups.begin(), groups.begin() + count, group) != groups.begin() + count;
}

int OpenOrMake(const std::string& path) {
  // A file that is there is opened without O_CREAT: in a sticky folder only its owner could open it with that.
  for (int attempt = 0; attempt < 10; ++attempt) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 || errno != ENOENT) return fd;
    fd = open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

absl::Status Check(int fd, const std::string& path) {
  struct stat info;
  if (fstat(fd, &info) != 0) return Refused(path, strerror(errno));
  if (!S_ISREG(info.st_mode)) return Refused(path, "is not a regular file: remove it");
  const bool own = info.st_uid == geteuid();
  if (!own && !IsOwnGroup(info.st_gid)) return Refused(path, "belongs to another user");
  if ((info.st_mode & S_IRWXO) == 0) return absl::OkStatus();
  if (own && fchmod(fd, info.st_mode & (S_IRWXU | S_IRWXG)) == 0) return absl::OkStatus();
  return Refused(path, "can be locked by every user: remove it");
}

}  // namespace

absl::StatusOr<int> OpenLockFile(const std::string& path) {
  const int fd = OpenOrMake(path);
  if (fd < 0) return Refused(path, errno == ELOOP ? "is a link: remove it" : strerror(errno));
  if (absl::Status status = Check(fd, path); !status.ok()) {
    close(fd);
    return status;
  }
  return fd;
}

std::string LockHolder(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return "another process";
  // "1: FLOCK  ADVISORY  WRITE 123 fe:00:10952822 0 EOF"
  char file[64];
  std::snprintf(file, sizeof file, " %02x:%02x:%llu ", major(info.st_dev), minor(info.st_dev),
                static_cast<unsigned long long>(info.st_ino));
  int holder = 0, holders = 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    int pid = 0;
    if (line.find(file) == std::string::npos || std::sscanf(line.c_str(), "%*s FLOCK %*s %*s %d", &pid) != 1) continue;
    if (holders++ == 0) holder = pid;
  }
  if (holder <= 0) return "another process";
  std::string name;
  std::getline(std::ifstream(absl::StrCat("/proc/", holder, "/comm")) >> std::ws, name);
  return absl::StrCat("process ", holder, name.empty() ? "" : absl::StrCat(" (", name, ")"),
                      holders > 1 ? absl::StrCat(" and ", holders - 1, " more") : "");
}

bool IsLockFolder(const std::string& folder) {
  struct stat info;
  if (folder.empty() || folder[0] != '/' || stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return false;
  if (info.st_uid != 0 && info.st_uid != geteuid()) return false;
  return (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (info.st_mode & S_ISVTX) != 0;
}

std::vector<std::string> LockFolders() {
  std::vector<std::string> folders = {"/run/lock"};
  if (const char* runtime = getenv("XDG_RUNTIME_DIR")) folders.emplace_back(runtime);
  std::erase_if(folders, [](const std::string& folder) { return !IsLockFolder(folder); });
  return folders;
}

}  // namespace mmtune
