// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of standard output, the same for every program: output that could not be written is an error.
#pragma once

#include "absl/status/status.h"

namespace mmtune {

/// The exit code when the reader of standard output has left, as `head` does: what a shell reports for SIGPIPE. No
/// message is printed then.
inline constexpr int kReaderLeft = 141;

/// Internal, "cannot write standard output: <the text of `error`>"; without the text when `error` is 0.
absl::Status OutputError(int error);

/// Writes out what stdout still buffers. OutputError when that or anything printed before was lost.
absl::Status FlushStandardOutput();

/// The exit code of a C program: `code`, or, when output was lost, an error line of `program` and `lost`, or
/// kReaderLeft.
int ExitAfterOutput(const char* program, int code, int lost);

}  // namespace mmtune
