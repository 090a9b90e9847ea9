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

/// A file that reproduces a failure: the module and the passes that were about to run on it. Write() writes the file,
/// or WriteExpectedReproducer() after a crash. Both print a line on standard error that names the file. Only one object
/// may exist at a time. Not thread-safe.
class CrashReproducer {
 public:
  /// Creates the object. Returns InvalidArgument if `path` cannot be written, or exists without `force`.
  static absl::StatusOr<std::unique_ptr<CrashReproducer>> At(const std::string& path, bool force);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer&) = delete;
  CrashReproducer& operator=(const CrashReproducer&) = delete;

  /// Sets the content of the file, in case of a failure from now on. If `reproducer` is empty, no file is written.
  void Expect(std::string reproducer);
  /// Writes the file now. Returns InvalidArgument with the reason if it cannot be written.
  absl::Status Write();

 private:
  explicit CrashReproducer(std::unique_ptr<ExpectedCrash> expected);

  std::unique_ptr<ExpectedCrash> expected_;
};

/// Makes fatal errors of LLVM, exhausted memory and crash signals end the process with kExitFailed. Before the process
/// ends, the file of the CrashReproducer is written, if there is one, and one line on standard error names the
/// CrashSubject (compiler.h) and the error. Call it once, from the main thread.
void InstallCrashHandler();

/// The debugging outputs that the options ask for. Not thread-safe.
class DebugOutputs {
 public:
  /// Creates the outputs. Returns InvalidArgument if a file or folder that the options name cannot be written.
  static absl::StatusOr<std::unique_ptr<DebugOutputs>> For(const CompileOptions& options);

  /// Returns an observer that writes the outputs. It may be used for several compilations of one module, one after
  /// another. It must not outlive this object.
  CompileObserver Observer();
  /// Writes the reproducer after a failed compilation, if one is wanted and a pass failed.
  absl::Status WriteReproducer();

 private:
  absl::Status AfterPass(int number, std::string_view pass, std::string_view text);

  std::optional<StageDump> dump_;
  int dumped_before_ = 0;  ///< Number of the last pass dumped by earlier compilations.
  int dumped_ = -1;        ///< Number of the last pass dumped, or -1.
  std::unique_ptr<CrashReproducer> reproducer_;
};

}  // namespace mmtune
