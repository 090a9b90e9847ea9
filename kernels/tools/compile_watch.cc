// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_watch.h"

#include <algorithm>
#include <utility>

#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<CompileWatch>> CompileWatch::For(const CompileOptions& options) {
  auto watch = std::make_unique<CompileWatch>();
  if (!options.dump_after_stage.empty()) {
    ASSIGN_OR_RETURN(watch->dump_, StageDump::In(options.dump_after_stage));
  }
  if (!options.crash_reproducer.empty()) {
    ASSIGN_OR_RETURN(watch->reproducer_, CrashReproducer::At(options.crash_reproducer, options.force));
  }
  return watch;
}

CompileObserver CompileWatch::Observer() {
  CompileObserver observer;
  if (dump_) {
    observer.after_pass = [this](int number, std::string_view pass, std::string_view text) {
      return AfterPass(number, pass, text);
    };
  }
  if (reproducer_ != nullptr) {
    observer.before_stage = [this](std::string text) { reproducer_->Expect(std::move(text)); };
    observer.after_stage = [this] { reproducer_->Expect(""); };
  }
  return observer;
}

absl::Status CompileWatch::WriteReproducer() {
  return reproducer_ == nullptr ? absl::OkStatus() : reproducer_->Write();
}

/// What a second compilation parses is what the first one left.
absl::Status CompileWatch::AfterPass(int number, std::string_view pass, std::string_view text) {
  if (number == 0) dumped_before_ = std::max(dumped_, 0);
  if (number == 0 && dumped_ >= 0) return absl::OkStatus();
  dumped_ = dumped_before_ + number;
  return dump_->Write(dumped_, pass, text);
}

}  // namespace mmtune
