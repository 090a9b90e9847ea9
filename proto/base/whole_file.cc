// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxTextBytes = int64_t{64} << 20;

absl::Status Cannot(const char* what, const std::string& path) {
  return Unavailable(absl::StrCat("cannot ", what, " ", path, ": ", strerror(errno)));
}

bool IsNullDevice(const struct stat& info) {
  struct stat null = {};
  return S_ISCHR(info.st_mode) && stat("/dev/null", &null) == 0 && info.st_rdev == null.st_rdev;
}

const char* KindOf(const struct stat& info) {
  if (S_ISFIFO(info.st_mode)) return "FIFO";
  return S_ISSOCK(info.st_mode) ? "socket" : "device";
}

}  // namespace

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from, int64_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a FIFO would wait for a writer
  if (file.get() < 0) return Cannot("read", path);
  struct stat info = {};
  if (fstat(file.get(), &info) != 0) return Cannot("read", path);
  if (S_ISDIR(info.st_mode)) return errno = EISDIR, Cannot("read", path);
  if (!S_ISREG(info.st_mode) && !IsNullDevice(info)) {
    return Unavailable(absl::StrCat("cannot read ", path, ": it is a ", KindOf(info), ", not a file"));
  }
  std::string content;
  std::vector<char> part(1 << 16);
  for (;;) {
    const ssize_t got = pread(file.get(), part.data(), part.size(), from + static_cast<int64_t>(content.size()));
    if (got < 0) return Cannot("read", path);
    if (got == 0) return content;
    content.append(part.data(), static_cast<size_t>(got));
    // Not by its size: files in /proc have none.
    if (static_cast<int64_t>(content.size()) > most) {
      return Unavailable(absl::StrCat("cannot read ", path, ": it has more than ", most, " bytes"));
    }
  }
}

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadWholeFile(path, 0, kMaxTextBytes));
  return std::string(WithoutByteOrderMark(content));
}

absl::Status WriteWholeFile(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  return file ? absl::OkStatus() : Cannot("write", path);
}

}  // namespace mmtune
