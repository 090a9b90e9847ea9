// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mmtune-compile on the model of `tune model`: to find its matmul problems, to build its library, and to run it.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/model_matmuls.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/compilation.h"
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
  /// compiler would build it now, with `present` as the tuning spec. If the options name a function to run, runs it
  /// once, and counts the calls of that run. If the model does not compile or run, writes what the compiler says to
  /// `errors`.
  absl::StatusOr<ModelMatmuls> FindMatmuls(const TuningSpec& present, std::ostream& errors) const;

  /// Returns an error if this machine cannot build the library that the options name, for example because it has no
  /// linker. To find out, builds the library in the folder for the compiler's files, with default schedules.
  absl::Status CheckLibrary(std::ostream& errors) const;

  /// Builds the library that the options name, and returns the compiler's exit code.
  absl::StatusOr<ExitCode> BuildLibrary(const TuningSpec& spec) const;

  /// Returns the median time of a call, in nanoseconds, of the function to run, with the schedules of `spec`. If the
  /// model does not compile or run, writes what the compiler says to `errors`, and returns an error with its exit code.
  absl::StatusOr<double> TimeRuns(const TuningSpec& spec, std::ostream& errors) const;

 private:
  /// Returns the words of the command line of mmtune-compile for this model and device. If `own_code` is false, the
  /// compiler also takes schedules that were measured with another toolchain, whose code may differ.
  std::vector<std::string> Words(const std::string& spec_path, bool own_code = true) const;
  /// Runs mmtune-compile. On failure, writes its output to `errors`, and returns an error with its exit code: "the
  /// model FILE", followed by `failure`, such as "does not compile".
  absl::Status Compile(std::vector<std::string> words, std::string_view failure, std::ostream& errors) const;
  /// Compiles the model with `spec`, runs it `runs` times unless that is 0, and returns its matmuls.
  absl::StatusOr<ModelMatmuls> ReadMatmuls(const TuningSpec& spec, int runs, std::ostream& errors) const;

  const TuneModelOptions& options_;
  const DeviceInfo device_;
  const std::string folder_;
};

/// Returns an error with exit code kUsage if the workers' toolchain differs from the compiler's, `own`: the library
/// `output` would then not have the code that the workers verified and timed.
absl::Status CheckToolchain(const Toolchain& workers, const Toolchain& own, const std::string& output);

/// Returns the spec as text, or an error if its readers would refuse it.
absl::StatusOr<std::string> ReadableJson(const TuningSpec& spec);

}  // namespace mmtune
