// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard output as every program ends with it: what could not be written is an error, not a success.
#pragma once

#include "absl/status/status.h"

namespace mmtune {

/// The exit code where whoever read standard output has left, as `head` does: as a shell reports SIGPIPE. Nothing is
/// said then.
inline constexpr int kReaderLeft = 141;

/// Internal, "cannot write standard output: <the text of `error`>"; without the text when `error` is 0.
absl::Status OutputError(int error);

/// Writes out what stdout still buffers. OutputError when that or anything printed before was lost.
absl::Status FlushStandardOutput();

/// The exit code of a C program: `code`, or, when output was lost, an error line of `program` and `lost`, or
/// kReaderLeft.
int ExitAfterOutput(const char* program, int code, int lost);

}  // namespace mmtune
