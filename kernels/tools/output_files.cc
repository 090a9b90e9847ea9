// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/output_files.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr size_t kMaxFiles = 256;

// State of the signal handler, without locks or allocation: paths are added and never changed.
std::atomic<char*> g_temporaries[kMaxFiles];
std::atomic<pid_t> g_child{0};

void OnSignal(int number) {
  if (pid_t child = g_child.load(); child > 0) {
    kill(-child, SIGTERM);
    waitpid(child, nullptr, 0);
  }
  for (std::atomic<char*>& path : g_temporaries) {
    if (const char* name = path.load()) unlink(name);
  }
  signal(number, SIG_DFL);
  raise(number);
}

/// Returns false if there are too many.
bool RemoveOnSignal(const std::string& path) {
  for (std::atomic<char*>& slot : g_temporaries) {
    if (slot.load() != nullptr) continue;
    slot.store(strdup(path.c_str()));
    return true;
  }
  return false;
}

void ForgetAll() {
  for (std::atomic<char*>& slot : g_temporaries) free(slot.exchange(nullptr));
}

absl::Status Cannot(std::string_view what, const std::string& path) {
  return InvalidArgument(absl::StrCat("cannot ", ToAbsl(what), " ", path, ": ", strerror(errno)));
}

absl::Status WriteAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Cannot("write", path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

bool Exists(const std::string& path, bool* regular) {
  struct stat present{};
  if (stat(path.c_str(), &present) != 0) return false;
  *regular = S_ISREG(present.st_mode);
  return true;
}

absl::Status WriteInPlace(const std::string& path, const std::string& temporary) {
  ASSIGN_OR_RETURN(std::string content, ReadInput(temporary));
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Cannot("write", path);
  absl::Status status = WriteAll(fd, content, path);
  if (close(fd) != 0 && status.ok()) status = Cannot("write", path);
  return status;
}

absl::Status TooLong(const std::string& name, int64_t most) {
  return InvalidArgument(absl::StrCat("cannot read ", name, ": it has more than ", most, " bytes"));
}

absl::Status CheckReadable(int fd, const std::string& name, int64_t most) {
  struct stat present{};
  if (fstat(fd, &present) != 0) return Cannot("read", name);
  struct stat null{};
  const bool empty = stat("/dev/null", &null) == 0 && present.st_rdev == null.st_rdev;
  const bool device = S_ISBLK(present.st_mode) || (S_ISCHR(present.st_mode) && isatty(fd) == 0 && !empty);
  if (device) {
    return InvalidArgument(absl::StrCat("cannot read ", name, ": it is a device, not a file"));
  }
  return S_ISREG(present.st_mode) && present.st_size > most ? TooLong(name, most) : absl::OkStatus();
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

}  // namespace

OutputFiles::OutputFiles(bool force) : force_(force) {
  struct sigaction action{};
  action.sa_handler = &OnSignal;
  sigemptyset(&action.sa_mask);
  for (int number : kEndingSignals) sigaddset(&action.sa_mask, number);
  for (int number : kEndingSignals) sigaction(number, &action, nullptr);
}

OutputFiles::~OutputFiles() {
  RemoveTemporaries();
  for (int number : kEndingSignals) signal(number, SIG_DFL);
}

void OutputFiles::RemoveTemporaries() {
  for (const File& file : files_) unlink(file.temporary.c_str());
  files_.clear();
  ForgetAll();
}

absl::StatusOr<std::string> OutputFiles::Reserve(const std::string& path) {
  ASSIGN_OR_RETURN(OutputPlace place, CheckOutput(path, force_));
  ASSIGN_OR_RETURN(std::string temporary, MakeTemporary(place));
  files_.back().place = std::move(place);
  return temporary;
}

absl::StatusOr<std::string> OutputFiles::Scratch(const std::string& path) {
  ASSIGN_OR_RETURN(OutputPlace place, CheckOutput(path, force_));
  return MakeTemporary(place);
}

absl::StatusOr<std::string> OutputFiles::MakeTemporary(const OutputPlace& place) {
  const std::string target_folder = FolderOf(place.path);
  const std::string folder = place.in_place ? std::filesystem::temp_directory_path().string() + "/" : target_folder;
  std::string temporary = absl::StrCat(folder, ".mmtune-", getpid(), "-", files_.size(), "-",
                                       absl::string_view(place.path).substr(target_folder.size()));
  if (!RemoveOnSignal(temporary)) return InvalidArgument("too many output files at once: ask for fewer of them");
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return Cannot("write", place.path);
  close(fd);
  files_.push_back({temporary, {}});
  return temporary;
}

absl::Status OutputFiles::Write(const std::string& path, std::string_view content) {
  if (path == "-") {
    if (!WriteAll(STDOUT_FILENO, content, "standard output").ok()) return OutputError(errno);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::string temporary, Reserve(path));
  return Fill(temporary, content);
}

absl::Status OutputFiles::Fill(const std::string& temporary, std::string_view content) {
  const int fd = open(temporary.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd < 0) return Cannot("write", temporary);
  absl::Status status = WriteAll(fd, content, temporary);
  if (close(fd) != 0 && status.ok()) status = Cannot("write", temporary);
  return status;
}

absl::Status OutputFiles::Commit() {
  for (const File& file : files_) {
    if (file.place.in_place) RETURN_IF_ERROR(WriteInPlace(file.place.path, file.temporary));
  }
  for (const File& file : files_) {
    if (file.place.path.empty() || file.place.in_place) continue;
    RETURN_IF_ERROR(PublishOutput(file.temporary, file.place, force_));
  }
  RemoveTemporaries();  // Those left are the scratch files.
  return absl::OkStatus();
}

absl::Status CheckDistinct(const std::vector<NamedOutput>& outputs) {
  std::map<std::string, std::string> what_by_place;
  for (const NamedOutput& output : outputs) {
    bool regular = true;
    if (output.path != "-" && Exists(output.path, &regular) && !regular) continue;
    std::error_code none;
    const std::string place =
        output.path == "-"
            ? "standard output"
            : std::filesystem::weakly_canonical(std::filesystem::absolute(FollowLinks(output.path)), none).string();
    auto [other, inserted] = what_by_place.emplace(place, output.what);
    if (!inserted) {
      return InvalidArgument(absl::StrCat(other->second, " and ", output.what, " would both be written to ",
                                          output.path == "-" ? place : output.path));
    }
  }
  return absl::OkStatus();
}

void SetOutputChild(pid_t pid) { g_child.store(pid); }

absl::StatusOr<std::string> ReadInput(const std::string& path, int64_t most) {
  const std::string name = path == "-" ? "standard input" : path;
  const Descriptor file(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Cannot("read", name);
  RETURN_IF_ERROR(CheckReadable(file.get(), name, most));
  std::string content;
  char buffer[65536];
  for (;;) {
    const ssize_t got = read(file.get(), buffer, sizeof buffer);
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Cannot("read", name);
    content.append(buffer, static_cast<size_t>(got));
    if (static_cast<int64_t>(content.size()) > most) return TooLong(name, most);
  }
}

}  // namespace mmtune
