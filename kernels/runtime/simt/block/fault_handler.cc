// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/fault_handler.h"

#include <signal.h>
#include <sys/mman.h>

#include <mutex>

#include "kernels/runtime/simt/block/block.h"

namespace mmtune::simt {
namespace {

struct HandledSignal {
  int number;
  const char* name;
  struct sigaction previous;
};
HandledSignal handled_signals[] = {
    {SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}}, {SIGFPE, "SIGFPE", {}}, {SIGILL, "SIGILL", {}}};

thread_local Block* active_block = nullptr;

/// A fault may be an overflow of the fiber's stack, so the handler needs a stack of its own. One for each OS thread,
/// unless somebody else (a sanitizer) gave it one.
class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && !(present.ss_flags & SS_DISABLE)) return;
    memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t own{};
    own.ss_sp = memory_;
    own.ss_size = kBytes;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, kBytes);
  }

 private:
  static constexpr size_t kBytes = 64 * 1024;
  void* memory_ = MAP_FAILED;
};

void HandleFault(int number, siginfo_t* info, void*) {
  for (HandledSignal& signal : handled_signals) {
    if (signal.number != number) continue;
    // Leaves the handler for good: SA_NODEFER keeps the signal unblocked, and the alternate stack is free again as soon
    // as the stack pointer is elsewhere.
    if (active_block != nullptr && info->si_code > 0) active_block->OnSignal(signal.name, info->si_addr);
    // Not ours: the instruction is executed again, under the previous handler.
    sigaction(number, &signal.previous, nullptr);
    if (info->si_code <= 0) raise(number);
    return;
  }
}

}  // namespace

void InstallFaultHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (HandledSignal& signal : handled_signals) {
      struct sigaction action{};
      action.sa_sigaction = &HandleFault;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigemptyset(&action.sa_mask);
      sigaction(signal.number, &action, &signal.previous);
    }
  });
}

FaultScope::FaultScope(Block* block) {
  static thread_local SignalStack stack;
  active_block = block;
}

FaultScope::~FaultScope() { active_block = nullptr; }

}  // namespace mmtune::simt
