// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mmtune-compile on the model of `tune model`: to find its matmul problems, and to build its library.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"
#include "server/tune/commands/model_command.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Compiles one model for one device. Immutable.
class ModelBuild {
 public:
  /// `folder` is for files of the compiler. `options` must outlive the object.
  ModelBuild(const TuneModelOptions& options, DeviceInfo device, std::string folder)
      : options_(options), device_(std::move(device)), folder_(std::move(folder)) {}

  /// Compiles the model until its matmul problems are found, and returns them. Each has the schedule with which the
  /// compiler would build it now, with `present` as the tuning spec. If the model does not compile, writes what the
  /// compiler says to `errors`.
  absl::StatusOr<ModelMatmuls> FindMatmuls(const TuningSpec& present, std::ostream& errors) const;

  /// Builds the library that the options name, and returns the compiler's exit code.
  absl::StatusOr<ExitCode> BuildLibrary(const TuningSpec& spec) const;

 private:
  /// Returns the words of mmtune-compile for this model and device.
  std::vector<std::string> Words(const std::string& spec_path) const;

  const TuneModelOptions& options_;
  const DeviceInfo device_;
  const std::string folder_;
};

/// Returns the spec as text, or an error if its readers would refuse it.
absl::StatusOr<std::string> ReadableJson(const TuningSpec& spec);

}  // namespace mmtune
