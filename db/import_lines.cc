// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/import_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "db/record_json.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kReadAtOnce = 65536;

/// What was read of the stream and not yet given as a line.
struct Buffer {
  std::string bytes;
  size_t next = 0;
  bool ended = false;
  absl::Status error;

  /// False at the end, and where it cannot be read on.
  bool Fill(std::istream& input) {
    if (next < bytes.size()) return true;
    if (ended || !input.good()) return false;
    bytes.resize(kReadAtOnce);
    errno = 0;
    input.read(bytes.data(), kReadAtOnce);
    // Standard input is read by stdio, which tells its stream of an end where there was an error.
    if (input.bad() || (&input == &std::cin && ferror(stdin) != 0)) {
      error =
          InvalidArgument(absl::StrCat("cannot be read on", errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : ""));
    }
    bytes.resize(error.ok() ? static_cast<size_t>(input.gcount()) : 0);
    next = 0;
    ended = bytes.size() < kReadAtOnce;
    return !bytes.empty();
  }

  void End() {
    next = bytes.size();
    ended = true;
  }
};

}  // namespace

LineSource ImportLines(std::istream& input) {
  return [&input, buffer = std::make_shared<Buffer>()](std::string* line) -> absl::StatusOr<bool> {
    line->clear();
    if (!buffer->Fill(input)) return buffer->error.ok() ? absl::StatusOr<bool>(false) : buffer->error;
    while (buffer->Fill(input)) {
      const size_t end = buffer->bytes.find('\n', buffer->next);
      const size_t size = std::min(end, buffer->bytes.size()) - buffer->next;
      line->append(buffer->bytes, buffer->next, std::min(size, kMaxRecordJsonBytes + 1 - line->size()));
      buffer->next += size + (end == std::string::npos ? 0 : 1);
      if (line->size() > kMaxRecordJsonBytes) buffer->End();
      if (end != std::string::npos) break;
    }
    RETURN_IF_ERROR(buffer->error);
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  };
}

}  // namespace mmtune
