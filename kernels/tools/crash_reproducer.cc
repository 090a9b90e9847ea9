// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/crash_reproducer.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kCrashSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
constexpr size_t kStackBytes = 64 << 10;

}  // namespace

/// All that the signal handler needs, made before: it allocates nothing.
struct ExpectedCrash {
  std::string path;  ///< As the user gave it.
  bool force = false;
  OutputPlace place;
  std::string temporary;  ///< What is written; renamed to `place`, unless that is written in place.
  std::string note;
  std::string text;
  std::unique_ptr<char[]> stack;  ///< The handler's own: the process's may be used up.
  // What was there before.
  struct sigaction old_actions[std::size(kCrashSignals)] = {};
  stack_t old_stack = {};

  /// Safe in a signal handler.
  bool Write() const {
    const int flags = O_WRONLY | O_CLOEXEC | (place.in_place ? 0 : O_CREAT | O_EXCL);
    const int fd = open(temporary.c_str(), flags, 0666);
    if (fd < 0) return false;
    bool good = true;
    for (size_t done = 0; good && done < text.size();) {
      const ssize_t written = write(fd, text.data() + done, text.size() - done);
      good = written > 0 || (written < 0 && errno == EINTR);
      if (written > 0) done += static_cast<size_t>(written);
    }
    good = close(fd) == 0 && good;
    if (place.in_place) return good;
    if (good) {
      good = renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, place.path.c_str(), force ? 0 : RENAME_NOREPLACE) == 0;
    }
    if (!good) unlink(temporary.c_str());
    return good;
  }
};

namespace {

std::atomic<const ExpectedCrash*> g_expected{nullptr};

/// The signal is raised again, and ends the process: it is reset (SA_RESETHAND). Handlers of before are not called.
void OnCrash(int number) {
  const ExpectedCrash* crash = g_expected.exchange(nullptr);
  if (crash != nullptr && !crash->text.empty() && crash->Write()) {
    (void)!write(STDERR_FILENO, crash->note.data(), crash->note.size());
  }
  raise(number);
}

}  // namespace

absl::StatusOr<std::unique_ptr<CrashReproducer>> CrashReproducer::At(const std::string& path, bool force) {
  ASSIGN_OR_RETURN(OutputPlace place, CheckOutput(path, force));
  const std::string folder = std::filesystem::absolute(place.path).parent_path();
  if (!place.in_place && access(folder.c_str(), W_OK | X_OK) != 0) {
    return InvalidArgument(absl::StrCat("cannot write ", path, ": ", strerror(errno)));
  }
  auto expected = std::make_unique<ExpectedCrash>();
  expected->path = path;
  expected->force = force;
  expected->place = place;
  expected->temporary = place.in_place ? place.path : absl::StrCat(place.path, ".", getpid(), ".partial");
  expected->note = absl::StrCat("mmtune-compile: note: mmtune-opt --run-reproducer ", path, " repeats what failed\n");
  expected->stack = std::make_unique<char[]>(kStackBytes);
  return std::unique_ptr<CrashReproducer>(new CrashReproducer(std::move(expected)));
}

CrashReproducer::CrashReproducer(std::unique_ptr<ExpectedCrash> expected) : expected_(std::move(expected)) {
  const stack_t stack = {.ss_sp = expected_->stack.get(), .ss_flags = 0, .ss_size = kStackBytes};
  sigaltstack(&stack, &expected_->old_stack);
  g_expected.store(expected_.get());
  struct sigaction action{};
  action.sa_handler = &OnCrash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kCrashSignals); ++i) {
    sigaction(kCrashSignals[i], &action, &expected_->old_actions[i]);
  }
}

CrashReproducer::~CrashReproducer() {
  g_expected.store(nullptr);
  for (size_t i = 0; i < std::size(kCrashSignals); ++i) {
    sigaction(kCrashSignals[i], &expected_->old_actions[i], nullptr);
  }
  sigaltstack(&expected_->old_stack, nullptr);
}

void CrashReproducer::Expect(std::string reproducer) {
  g_expected.store(nullptr);
  expected_->text = std::move(reproducer);
  g_expected.store(expected_.get());
}

absl::Status CrashReproducer::Write() {
  if (expected_->text.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(WriteOutput(expected_->path, expected_->force, [this](std::ostream& out) {
    out << expected_->text;
    return absl::OkStatus();
  }));
  (void)std::fputs(expected_->note.c_str(), stderr);
  return absl::OkStatus();
}

}  // namespace mmtune
