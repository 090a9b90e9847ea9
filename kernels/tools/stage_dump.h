// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder with the module after each pass.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Files "NN-<pass>.mlir". The folder is made for the first one.
class StageDump {
 public:
  /// InvalidArgument unless `folder` is an empty folder that can be written to, or one that can be made.
  static absl::StatusOr<StageDump> In(const std::string& folder);

  /// The whole file, or none, also where SIGINT, SIGTERM or SIGHUP end the process (OutputFiles). InvalidArgument says
  /// why it cannot be written.
  absl::Status Write(int number, std::string_view pass, std::string_view text);

 private:
  explicit StageDump(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace mmtune
