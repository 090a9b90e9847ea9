// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation leaves for whoever looks into it: --dump-after-stage and --crash-reproducer.
#pragma once

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/crash_reproducer.h"
#include "kernels/tools/stage_dump.h"

namespace mmtune {

class CompileWatch {
 public:
  /// InvalidArgument when what the options name cannot be written.
  static absl::StatusOr<std::unique_ptr<CompileWatch>> For(const CompileOptions& options);

  /// An observer for several compilations of the same module. It must not outlive this object.
  CompileObserver Observer();
  /// The compilation has failed: writes the reproducer, where one is wanted and passes have failed.
  absl::Status WriteReproducer();

 private:
  absl::Status AfterPass(int number, std::string_view pass, std::string_view text);

  std::optional<StageDump> dump_;
  int dumped_before_ = 0, dumped_ = -1;  ///< Passes: of the compilations before, and until now.
  std::unique_ptr<CrashReproducer> reproducer_;
};

}  // namespace mmtune
