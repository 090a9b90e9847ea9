// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::Status Cannot(const char* what, const std::string& path) {
  return Unavailable(absl::StrCat("cannot ", what, " ", path, ": ", strerror(errno)));
}

}  // namespace

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO would wait for a writer
  if (fd < 0) return Cannot("read", path);
  absl::Cleanup close_it = [fd] { close(fd); };
  struct stat info = {};
  if (fstat(fd, &info) != 0) return Cannot("read", path);
  if (S_ISFIFO(info.st_mode)) return Unavailable(absl::StrCat("cannot read ", path, ": it is a FIFO, not a file"));
  std::string content;
  std::vector<char> part(1 << 16);
  for (;;) {
    const ssize_t got = pread(fd, part.data(), part.size(), from + static_cast<int64_t>(content.size()));
    if (got < 0) return Cannot("read", path);
    if (got == 0) return content;
    content.append(part.data(), static_cast<size_t>(got));
  }
}

absl::Status WriteWholeFile(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  return file ? absl::OkStatus() : Cannot("write", path);
}

}  // namespace mmtune
