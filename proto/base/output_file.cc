// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/output_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/exit_code.h"
#include "proto/base/log_header.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kMaxLinks = 40;

absl::Status Cannot(const std::string& path, std::string_view why) {
  return InvalidArgument(absl::StrCat("cannot write ", path, ": ", ToAbsl(why)));
}

/// True for a terminal. Decides by the device number, from "devices.txt" of the Linux kernel: opening a device only to
/// ask may trigger it.
bool IsTerminal(const struct stat& info) {
  if (!S_ISCHR(info.st_mode)) return false;
  const unsigned number = major(info.st_rdev);
  return number == 4 || number == 5 || (number >= 136 && number <= 143);
}

bool LiesBesideALog(const std::string& path) {
  for (std::string_view suffix : {"-wal", "-shm", "-journal", ".lock"}) {
    if (absl::EndsWith(path, ToAbsl(suffix)) && IsTuningLog(path.substr(0, path.size() - suffix.size()))) return true;
  }
  return false;
}

absl::Status Exists(const std::string& path) {
  return Cannot(path, "it exists; --force replaces it, or name another file");
}

/// Gives the file the mode of the one that it replaces, if any and unless it is a secret, and makes what was written
/// durable.
absl::Status Finish(const std::string& written, const std::string& replaced, bool secret) {
  const int fd = open(written.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat old;
  const bool exists = !secret && stat(replaced.c_str(), &old) == 0;
  const bool finished = fd >= 0 && (!exists || fchmod(fd, old.st_mode & 07777) == 0) && fsync(fd) == 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  return finished ? absl::OkStatus() : Cannot(replaced, strerror(error));
}

}  // namespace

std::string FollowLinks(const std::string& path) {
  std::filesystem::path followed = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code none;
    const std::filesystem::path target = std::filesystem::read_symlink(followed, none);
    if (none) break;
    followed = followed.parent_path() / target;  // An absolute target alone.
  }
  return followed;
}

bool IsTuningLog(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  char bytes[kLogHeaderBytes];
  const ssize_t size = pread(fd, bytes, sizeof(bytes), 0);
  close(fd);
  if (size < 0) return false;
  const std::optional<LogHeader> header = ReadLogHeader({bytes, static_cast<size_t>(size)});
  return header && header->application_id == kLogApplicationId;
}

absl::StatusOr<OutputPlace> CheckOutput(const std::string& path, bool force) {
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return Cannot(path, "it is a folder");
  if (exists && (S_ISFIFO(info.st_mode) || IsTerminal(info))) return OutputPlace{path, true};
  if (exists && !S_ISREG(info.st_mode)) {
    return Cannot(path, "it is neither a regular file nor a pipe nor a terminal; name another file");
  }
  const std::string place = FollowLinks(path);
  if (IsTuningLog(place)) return Cannot(path, "it is a tuning log, which nothing may replace; name another file");
  if (LiesBesideALog(place)) return Cannot(path, "it belongs to the tuning log beside it; name another file");
  if (exists && !force) return Exists(path);
  return OutputPlace{place, false};
}

absl::Status PublishOutput(const std::string& temporary, const OutputPlace& place, bool force) {
  int failed = renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, place.path.c_str(), force ? 0 : RENAME_NOREPLACE);
  if (failed != 0 && !force && errno == EINVAL) {  // not on this file system
    RETURN_IF_ERROR(CheckOutput(place.path, force).status());
    failed = rename(temporary.c_str(), place.path.c_str());
  }
  if (failed == 0) return absl::OkStatus();
  return errno == EEXIST ? Exists(place.path) : Cannot(place.path, strerror(errno));
}

namespace {

/// A file beside its final place: published there, or removed by the destructor.
class PendingFile {
 public:
  ~PendingFile() {
    for (const std::string& path : {written_, kept_}) {
      if (!path.empty()) unlink(path.c_str());
    }
  }

  const OutputPlace& place() const { return place_; }
  absl::Status Write(const Output& output, bool force);
  /// Keeps a second name of the file that is to be replaced.
  absl::Status Keep();
  absl::Status Publish(bool force);
  /// Restores the place to what it was when Keep was called.
  void Withdraw();

 private:
  OutputPlace place_;
  std::string written_;  // beside the place, until it is published
  std::string kept_;     // what was at the place, by another name
  bool published_ = false;
};

absl::Status PendingFile::Write(const Output& output, bool force) {
  static std::atomic<int> count{0};
  ASSIGN_OR_RETURN(place_, CheckOutput(output.path, force));
  const std::string to =
      place_.in_place ? place_.path : absl::StrCat(place_.path, ".", getpid(), ".", ++count, ".partial");
  if (!place_.in_place) {
    // What replaces a private file is private from the first byte on.
    const mode_t mode = output.secret || access(place_.path.c_str(), F_OK) == 0 ? 0600 : 0666;
    const int fd = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) return Cannot(output.path, strerror(errno));
    close(fd);
    written_ = to;
  }
  std::ofstream out(to, std::ios::binary);
  absl::Status status = out ? output.write(out) : Cannot(output.path, strerror(errno));
  out.close();
  if (status.ok() && !out) status = Cannot(output.path, strerror(errno));
  if (place_.in_place) return status;
  return status.ok() ? Finish(to, place_.path, output.secret) : status;
}

absl::Status PendingFile::Keep() {
  if (place_.in_place || access(place_.path.c_str(), F_OK) != 0) return absl::OkStatus();
  const std::string kept = absl::StrCat(written_, ".before");
  // Not every file system has hard links.
  if (link(place_.path.c_str(), kept.c_str()) != 0 && rename(place_.path.c_str(), kept.c_str()) != 0) {
    return Cannot(place_.path, strerror(errno));
  }
  kept_ = kept;
  return absl::OkStatus();
}

absl::Status PendingFile::Publish(bool force) {
  if (place_.in_place) return absl::OkStatus();
  RETURN_IF_ERROR(PublishOutput(written_, place_, force));
  written_.clear();
  published_ = true;
  return absl::OkStatus();
}

void PendingFile::Withdraw() {
  if (!kept_.empty()) {
    rename(kept_.c_str(), place_.path.c_str());  // nothing, where both are names of one file
  } else if (published_) {
    unlink(place_.path.c_str());
  }
}

}  // namespace

absl::Status WriteOutputs(const std::vector<Output>& outputs, bool force) {
  std::vector<PendingFile> files(outputs.size());
  for (size_t i = 0; i < files.size(); ++i) {
    RETURN_IF_ERROR(files[i].Write(outputs[i], force));
    for (size_t j = 0; j < i; ++j) {
      if (files[j].place().path == files[i].place().path)
        return Cannot(outputs[i].path, "two outputs have this path; name different files");
    }
  }
  absl::Status status;
  for (size_t i = 0; i < files.size() && status.ok(); ++i) {
    // A last one leaves nothing to undo.
    if (force && i + 1 < files.size()) status = files[i].Keep();
    if (status.ok()) status = files[i].Publish(force);
  }
  if (!status.ok()) {
    for (PendingFile& file : files) file.Withdraw();
  }
  return status;
}

absl::Status WriteOutput(const std::string& path, bool force, const std::function<absl::Status(std::ostream&)>& write) {
  return WriteOutputs({{path, /*secret=*/false, write}}, force);
}

absl::Status OutputError(int error) {
  return Internal(
      absl::StrCat("cannot write standard output", error != 0 ? ": " : "", error != 0 ? strerror(error) : ""));
}

absl::Status FlushStandardOutput() {
  const bool lost = ferror(stdout) != 0;
  errno = 0;
  if (lost) std::putchar('\n');  // To learn the reason, which was not kept.
  if (std::fflush(stdout) != 0) return OutputError(errno);
  return lost ? OutputError(0) : absl::OkStatus();
}

int ExitAfterOutput(const char* program, int code, int lost) {
  const absl::Status status = FlushStandardOutput();
  if (status.ok()) return code;
  if (status == OutputError(EPIPE)) return code == 0 ? Number(ExitCode::kBrokenPipe) : code;
  std::fprintf(stderr, "%s: %s\n", program, std::string(status.message()).c_str());
  return code == 0 ? lost : code;
}

}  // namespace mmtune
