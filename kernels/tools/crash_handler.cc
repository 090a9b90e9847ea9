// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/crash_handler.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "kernels/compiler/codegen/crash_subject.h"
#include "kernels/tools/compile_command.h"
#include "kernels/tools/crash_reproducer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

namespace mmtune {
namespace {

constexpr int kCrashSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
/// The handler's own: the process's may be used up.
alignas(16) char g_stack[64 << 10];
/// Below the stack pointer or above it, an access that fails is one to the stack.
constexpr uintptr_t kStackSlack = 1 << 20;

/// Text in a buffer of its own: a handler of signals allocates nothing.
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

/// Once, whatever happens on the way.
[[noreturn]] void End(std::string_view what) {
  static std::atomic_flag ending;
  if (!ending.test_and_set()) WriteExpectedReproducer();
  const char* subject = CrashSubject::Current();
  Line line;
  line << "mmtune-compile: error: ";
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

/// LLVM's passes say which kernel they are at.
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

}  // namespace mmtune
