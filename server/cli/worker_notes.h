// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker that tune started has to tell the user while it runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmtune {

/// Reads on in the file that a worker writes. Not thread-safe.
class WorkerNotes {
 public:
  explicit WorkerNotes(std::string path) : path_(std::move(path)) {}

  /// One line, PlainText, for each wait for a device (kWaitsForDevice) that was written since the last call.
  std::vector<std::string> Read();

 private:
  std::string path_;
  long read_ = 0;  ///< Bytes.
};

}  // namespace mmtune
