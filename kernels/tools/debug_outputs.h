// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debugging outputs of a compilation: --dump-after-stage, --crash-reproducer, and the error of a crash.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"

namespace mmtune {

/// A folder with the module after each pass, in files "NN-<pass>.mlir". The first one creates the folder.
class StageDump {
 public:
  /// InvalidArgument unless `folder` is an empty, writable folder, or one that can be created.
  static absl::StatusOr<StageDump> In(const std::string& folder);

  /// Writes the whole file or none, also if SIGINT, SIGTERM or SIGHUP end the process. InvalidArgument says why it
  /// cannot be written.
  absl::Status Write(int number, std::string_view pass, std::string_view text);

 private:
  explicit StageDump(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

struct ExpectedCrash;

/// Writes the file of the CrashReproducer, if there is one; once. Safe in a signal handler.
void WriteExpectedReproducer();

/// A file that repeats a failure: the module with the passes that were to run on it. Written by Write() or, in a crash,
/// by WriteExpectedReproducer(); then a line on standard error names it. One object at a time; not thread-safe.
class CrashReproducer {
 public:
  /// InvalidArgument if `path` may not be written; `force` replaces an existing file.
  static absl::StatusOr<std::unique_ptr<CrashReproducer>> At(const std::string& path, bool force);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer&) = delete;
  CrashReproducer& operator=(const CrashReproducer&) = delete;

  /// Sets the content to write from now on; empty: nothing is written.
  void Expect(std::string reproducer);
  /// Writes the file now. InvalidArgument says why it cannot be written.
  absl::Status Write();

 private:
  explicit CrashReproducer(std::unique_ptr<ExpectedCrash> expected);

  std::unique_ptr<ExpectedCrash> expected_;
};

/// Makes fatal errors of LLVM, exhausted memory and crash signals end the process with kExitFailed and one line on
/// standard error that names the CrashSubject, after the file of a CrashReproducer is written. For the main thread;
/// once.
void InstallCrashHandler();

/// The debugging outputs that the options ask for. Not thread-safe.
class DebugOutputs {
 public:
  /// InvalidArgument if a file or folder that the options name cannot be written.
  static absl::StatusOr<std::unique_ptr<DebugOutputs>> For(const CompileOptions& options);

  /// Returns an observer for several compilations of the same module. It must not outlive this object.
  CompileObserver Observer();
  /// Writes the reproducer, after a compilation has failed, if one is wanted and a pass has failed.
  absl::Status WriteReproducer();

 private:
  absl::Status AfterPass(int number, std::string_view pass, std::string_view text);

  std::optional<StageDump> dump_;
  int dumped_before_ = 0, dumped_ = -1;  ///< Numbers of passes: of earlier compilations, and of all.
  std::unique_ptr<CrashReproducer> reproducer_;
};

}  // namespace mmtune
