// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kDatabase = 0, kWal = 1, kShm = 2;

absl::Status LinkedTwice(const std::string& path, nlink_t links) {
  return FailedPrecondition(absl::StrCat(path, " has ", links,
                                         " names (hard links): by each of them it would be opened as a log of its own; "
                                         "remove the other names, or make a copy in place of the link"));
}

}  // namespace

absl::Status CheckLogNames(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink > 1) {
    return LinkedTwice(path, info.st_nlink);
  }
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string beside = path + suffix;
    if (lstat(beside.c_str(), &info) != 0) continue;
    if (!S_ISREG(info.st_mode)) {
      return FailedPrecondition(absl::StrCat(beside, " is a link or no regular file, so it is not of the tuning log ",
                                             path, "; move it away"));
    }
    if (info.st_nlink > 1) return LinkedTwice(beside, info.st_nlink);
  }
  return absl::OkStatus();
}

absl::StatusOr<LogFiles> LogFiles::Hold(const std::string& given, const Database& database) {
  const std::string& path = database.path();
  LogFiles files;
  std::error_code none;
  const std::string own_name = std::filesystem::absolute(given, none);
  const std::vector<std::string> names[] = {{path, own_name}, {path + "-wal"}, {path + "-shm"}, {path + ".lock"}};
  for (const std::vector<std::string>& of_file : names) {
    File& file = files.files_.emplace_back();
    file.names = of_file;
    file.held = std::make_unique<Descriptor>(open(of_file[0].c_str(), O_PATH | O_CLOEXEC));
    struct stat info;
    if (file.held->get() < 0 || fstat(file.held->get(), &info) != 0) {
      return absl::DataLossError(
          absl::StrCat(of_file[0], " was taken away while the log was opened: ", strerror(errno)));
    }
    file.device = info.st_dev;
    file.inode = info.st_ino;
  }
  if (database.HasMoved()) {
    return absl::DataLossError(absl::StrCat(path, " was deleted, moved or replaced while it was opened"));
  }
  RETURN_IF_ERROR(files.Check());
  return files;
}

absl::Status LogFiles::CheckName(const File& file, const std::string& name) {
  struct stat info;
  if (stat(name.c_str(), &info) == 0) {
    if (info.st_dev == file.device && info.st_ino == file.inode) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(name, " was replaced by another file while the log was open"));
  }
  if (errno == ENOENT || errno == ENOTDIR || errno == ESTALE) {
    return absl::DataLossError(absl::StrCat(name, " was deleted or moved away while the log was open"));
  }
  return Unavailable(absl::StrCat("cannot look at ", name, ": ", strerror(errno)));
}

absl::Status LogFiles::Check() const {
  for (const File& file : files_) {
    for (const std::string& name : file.names) RETURN_IF_ERROR(CheckName(file, name));
  }
  return absl::OkStatus();
}

bool LogFiles::DatabaseIsNamed() const {
  const File& database = files_[kDatabase];
  return CheckName(database, database.names[0]).ok();
}

bool LogFiles::DatabaseIsDeleted() const {
  struct stat info;
  return fstat(files_[kDatabase].held->get(), &info) == 0 && info.st_nlink == 0;
}

void LogFiles::RemoveWal() const {
  for (const size_t which : {kWal, kShm}) {
    const File& file = files_[which];
    if (CheckName(file, file.names[0]).ok()) unlink(file.names[0].c_str());
  }
}

}  // namespace mmtune
