// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/debug_outputs.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/compiler/compiler.h"
#include "kernels/tools/messages.h"
#include "kernels/tools/output_files.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"

namespace mmtune {

/// All that the signal handler needs, prepared before, because a handler may not allocate memory.
struct ExpectedCrash {
  std::string path;  ///< The path given by the user.
  bool force = false;
  OutputPlace place;
  std::string temporary;  ///< The file written; renamed to `place`, unless that is written in place.
  std::string note;
  std::string text;

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

namespace fs = std::filesystem;

absl::Status Cannot(const std::string& folder, std::string_view why) {
  return InvalidArgument(absl::StrCat("--dump-after-stage ", folder, ": ", ToAbsl(why)));
}

std::atomic<const ExpectedCrash*> g_expected{nullptr};

constexpr int kCrashSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
/// The handler's stack, as the process's may be used up.
alignas(16) char g_stack[64 << 10];
/// A fault at most this far from the stack pointer counts as a stack overflow.
constexpr uintptr_t kStackSlack = 1 << 20;

/// Text in a fixed buffer, because a signal handler may not allocate memory.
class Line {
 public:
  Line& operator<<(std::string_view text) {
    for (char c : text) {
      if (size_ + 2 > sizeof(text_)) break;
      const bool blank = c == '\n' || c == '\t';
      if (blank && size_ > 0 && text_[size_ - 1] == ' ') continue;
      text_[size_++] = blank ? ' ' : c;
    }
    return *this;
  }

  [[noreturn]] void PrintAndExit() {
    text_[size_++] = '\n';
    (void)!write(STDERR_FILENO, text_, size_);
    _exit(kExitFailed);
  }

 private:
  char text_[2048];
  size_t size_ = 0;
};

/// Writes the reproducer and the error, and ends the process. A crash on the way does not write the reproducer again.
[[noreturn]] void End(std::string_view what) {
  static std::atomic_flag ending;
  if (!ending.test_and_set()) WriteExpectedReproducer();
  const char* subject = CrashSubject::Current();
  Line line;
  line << MessageName() << ": error: ";
  if (subject != nullptr) line << subject << ": ";
  line << what;
  line.PrintAndExit();
}

std::string_view NameOf(int number) {
  switch (number) {
    case SIGABRT:
      return "crashed: the process aborted (SIGABRT)";
    case SIGBUS:
      return "crashed: an invalid access (SIGBUS)";
    case SIGFPE:
      return "crashed: an invalid operation, such as an integer division by zero (SIGFPE)";
    case SIGILL:
      return "crashed: an invalid instruction (SIGILL)";
    case SIGTRAP:
      return "crashed: a trap (SIGTRAP)";
    default:
      return "crashed: an invalid access (SIGSEGV)";
  }
}

bool IsStackUsedUp(int number, const siginfo_t* info, const void* context) {
#if defined(__x86_64__)
  if (number != SIGSEGV) return false;
  const auto* registers = static_cast<const ucontext_t*>(context);
  const auto stack = static_cast<uintptr_t>(registers->uc_mcontext.gregs[REG_RSP]);
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  return address < stack + kStackSlack && address + kStackSlack > stack;
#else
  (void)number, (void)info, (void)context;
  return false;
#endif
}

void OnSignal(int number, siginfo_t* info, void* context) {
  if (IsStackUsedUp(number, info, context))
    End("the module nests operations, types or attributes more deeply than the compiler's stack holds: nest them less");
  End(NameOf(number));
}

/// Adds the kernel at which LLVM's passes are.
void OnFatalError(void*, const char* reason, bool) {
  std::string text = reason;
  llvm::raw_string_ostream stream(text);
  const auto* innermost = static_cast<const llvm::PrettyStackTraceEntry*>(llvm::SavePrettyStackState());
  if (innermost != nullptr) innermost->print(stream << "; ");
  End(llvm::StringRef(text).rtrim());
}

[[noreturn]] void EndWithoutMemory() {
  End("memory is used up: the module has constants or values larger than this machine holds");
}

void OnBadAlloc(void*, const char*, bool) { EndWithoutMemory(); }

void OnTerminate() {
  try {
    if (std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    EndWithoutMemory();
  } catch (const std::exception& exception) {
    End(exception.what());
  } catch (...) {
  }
  End("crashed: an unexpected exception");
}

}  // namespace

absl::StatusOr<StageDump> StageDump::In(const std::string& folder) {
  std::error_code failed;
  const fs::file_status present = fs::status(folder, failed);
  const bool exists = fs::exists(present);
  if (exists && !fs::is_directory(present)) return Cannot(folder, "it is a file; name a folder");
  if (!exists && failed && failed != std::errc::no_such_file_or_directory) return Cannot(folder, failed.message());
  const fs::path parent = fs::absolute(folder).lexically_normal().parent_path();
  const fs::path written = exists ? fs::path(folder) : folder.ends_with('/') ? parent.parent_path() : parent;
  if (access(written.c_str(), W_OK | X_OK) != 0) return Cannot(folder, strerror(errno));
  if (exists && !fs::is_empty(folder, failed)) {
    return Cannot(folder, failed ? failed.message() : "it is not empty; name a new folder");
  }
  return StageDump(folder);
}

absl::Status StageDump::Write(int number, std::string_view pass, std::string_view text) {
  std::error_code failed;
  fs::create_directory(folder_, failed);
  if (failed) return Cannot(folder_, failed.message());
  const std::string path = absl::StrFormat("%s/%02d-%s.mlir", folder_, number, ToAbsl(pass));
  OutputFiles file;
  RETURN_IF_ERROR(file.Write(path, text));
  return file.Commit();
}

void WriteExpectedReproducer() {
  const ExpectedCrash* crash = g_expected.exchange(nullptr);
  if (crash == nullptr || crash->text.empty() || !crash->Write()) return;
  (void)!write(STDERR_FILENO, crash->note.data(), crash->note.size());
}

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
  expected->note = absl::StrCat(MessageName(), ": note: mmtune-opt --run-reproducer ", path, " repeats what failed\n");
  return std::unique_ptr<CrashReproducer>(new CrashReproducer(std::move(expected)));
}

CrashReproducer::CrashReproducer(std::unique_ptr<ExpectedCrash> expected) : expected_(std::move(expected)) {
  g_expected.store(expected_.get());
}

CrashReproducer::~CrashReproducer() { g_expected.store(nullptr); }

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

void InstallCrashHandler() {
  std::set_terminate(&OnTerminate);
  llvm::install_fatal_error_handler(&OnFatalError);
  llvm::install_bad_alloc_error_handler(&OnBadAlloc);
  const stack_t stack = {.ss_sp = g_stack, .ss_flags = 0, .ss_size = sizeof(g_stack)};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = &OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int number : kCrashSignals) sigaction(number, &action, nullptr);
}

absl::StatusOr<std::unique_ptr<DebugOutputs>> DebugOutputs::For(const CompileOptions& options) {
  auto outputs = std::make_unique<DebugOutputs>();
  if (!options.dump_after_stage.empty()) {
    ASSIGN_OR_RETURN(outputs->dump_, StageDump::In(options.dump_after_stage));
  }
  if (!options.crash_reproducer.empty()) {
    ASSIGN_OR_RETURN(outputs->reproducer_, CrashReproducer::At(options.crash_reproducer, options.force));
  }
  return outputs;
}

CompileObserver DebugOutputs::Observer() {
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

absl::Status DebugOutputs::WriteReproducer() {
  return reproducer_ == nullptr ? absl::OkStatus() : reproducer_->Write();
}

/// The input (pass 0) of a second compilation is the output of the first one, which is not written again.
absl::Status DebugOutputs::AfterPass(int number, std::string_view pass, std::string_view text) {
  if (number == 0) dumped_before_ = std::max(dumped_, 0);
  if (number == 0 && dumped_ >= 0) return absl::OkStatus();
  dumped_ = dumped_before_ + number;
  return dump_->Write(dumped_, pass, text);
}

}  // namespace mmtune
