// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs for debugging a compilation: the module after each pass (--dump-after-stage), a file that reproduces a
// failure (--crash-reproducer), and one line on standard error if LLVM crashes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"

namespace mmtune {

/// A folder of files "NN-<pass>.mlir" with the module after each pass. The folder is created with the first file.
class StageDump {
 public:
  /// Returns a dump to `folder`. Returns InvalidArgument unless it is an empty, writable folder or can be created.
  static absl::StatusOr<StageDump> In(const std::string& folder);

  /// Writes a file completely or not at all, even if SIGINT, SIGTERM or SIGHUP end the process. Returns InvalidArgument
  /// with the reason if it cannot be written.
  absl::Status Write(int number, std::string_view pass, std::string_view text);

 private:
  explicit StageDump(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

struct ExpectedCrash;

/// Writes the file of the current CrashReproducer, once, if there is one. May be called in a signal handler.
void WriteExpectedReproducer();

/// A file that reproduces a failure: the module and the passes that were about to run on it. Write() writes it, or
/// WriteExpectedReproducer() after a crash; then a line on standard error names it. Only one object may exist at a
/// time. Not thread-safe.
class CrashReproducer {
 public:
  /// Creates the object. Returns InvalidArgument if `path` cannot be written, or exists without `force`.
  static absl::StatusOr<std::unique_ptr<CrashReproducer>> At(const std::string& path, bool force);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer&) = delete;
  CrashReproducer& operator=(const CrashReproducer&) = delete;

  /// Sets the content to write from now on; with an empty one, nothing is written.
  void Expect(std::string reproducer);
  /// Writes the file now. Returns InvalidArgument with the reason if it cannot be written.
  absl::Status Write();

 private:
  explicit CrashReproducer(std::unique_ptr<ExpectedCrash> expected);

  std::unique_ptr<ExpectedCrash> expected_;
};

/// Makes fatal errors of LLVM, exhausted memory and crash signals end the process with kExitFailed. One line on
/// standard error then names the CrashSubject (compiler.h), after the file of a CrashReproducer was written. Call it
/// once, from the main thread.
void InstallCrashHandler();

/// The debugging outputs that the options ask for. Not thread-safe.
class DebugOutputs {
 public:
  /// Creates them. Returns InvalidArgument if a file or folder that the options name cannot be written.
  static absl::StatusOr<std::unique_ptr<DebugOutputs>> For(const CompileOptions& options);

  /// Returns an observer that writes them. It may be used for several compilations of one module, and must not outlive
  /// this object.
  CompileObserver Observer();
  /// Writes the reproducer after a failed compilation, if one is wanted and a pass failed.
  absl::Status WriteReproducer();

 private:
  absl::Status AfterPass(int number, std::string_view pass, std::string_view text);

  std::optional<StageDump> dump_;
  int dumped_before_ = 0;  ///< Passes of earlier compilations.
  int dumped_ = -1;        ///< Number of the last pass dumped.
  std::unique_ptr<CrashReproducer> reproducer_;
};

}  // namespace mmtune
