// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/standard_output.h"

#include <string.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

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
  if (status == OutputError(EPIPE)) return code == 0 ? kReaderLeft : code;
  std::fprintf(stderr, "%s: %s\n", program, std::string(status.message()).c_str());
  return code == 0 ? lost : code;
}

}  // namespace mmtune
