// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {

// System V x86-64: a call preserves rbx, rbp, r12-r15 and the stack pointer and nothing else, so that is all a
// suspended fiber keeps. The resume address is jumped to, not returned to: a `ret` would always be mispredicted.
asm(R"(
.text
.p2align 4
.globl mmtune_simt_switch_fiber
.type mmtune_simt_switch_fiber,@function
mmtune_simt_switch_fiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size mmtune_simt_switch_fiber, .-mmtune_simt_switch_fiber

.p2align 4
.type mmtune_simt_start_fiber,@function
mmtune_simt_start_fiber:
  movq %r12, %rdi
  xorl %ebp, %ebp
  andq $-16, %rsp
  callq *%r13
  ud2
.size mmtune_simt_start_fiber, .-mmtune_simt_start_fiber
)");

extern "C" void mmtune_simt_start_fiber();

void Fiber::Prepare(StackSpan stack, Entry entry, void* argument) {
#if defined(__SANITIZE_ADDRESS__)
  // The frames of an abandoned execution never returned, so their red zones are still there.
  __asan_unpoison_memory_region(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
#endif
  /// The words that the switch pops, lowest address first.
  struct InitialFrame {
    uint64_t r15, r14;
    Entry r13;
    void* r12;
    uint64_t rbx, rbp;
    void (*resume)();
    uint64_t end;
  };
  const uintptr_t aligned_top = reinterpret_cast<uintptr_t>(stack.top) & ~uintptr_t{63};
  auto* frame = reinterpret_cast<InitialFrame*>(aligned_top - sizeof(InitialFrame));
  *frame = {0, 0, entry, argument, 0, 0, &mmtune_simt_start_fiber, 0};
  stack_pointer_ = frame;
}

namespace {

constexpr size_t kGuardBytes = 4096;
constexpr size_t kStaggerStep = 192;
constexpr size_t kStaggerRange = 8192;

// Linux allows 65530 mappings to a process by default; leave most of them to others.
constexpr int64_t kGuardBudget = 12000;
std::atomic<int64_t> guards_in_use{0};

}  // namespace

absl::Status FiberStacks::Reserve(size_t count) {
  if (count <= count_) return absl::OkStatus();
  Release();
  void* memory =
      mmap(nullptr, count * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return ResourceExhausted(absl::StrCat("no address space for ", count, " thread stacks of ", kStackBytes,
                                          " bytes: ", std::strerror(errno)));
  }
  memory_ = static_cast<char*>(memory);
  count_ = count;
  while (guards_ < count && guards_in_use.fetch_add(1) < kGuardBudget) {
    if (mprotect(memory_ + guards_ * kStackBytes, kGuardBytes, PROT_NONE) != 0) break;
    ++guards_;
  }
  if (guards_ < count) guards_in_use.fetch_sub(1);
  return absl::OkStatus();
}

StackSpan FiberStacks::Stack(size_t index) const {
  char* bottom = memory_ + index * kStackBytes;
  return {bottom + kGuardBytes, bottom + kStackBytes - index * kStaggerStep % kStaggerRange};
}

bool FiberStacks::Contains(const void* address) const {
  const char* at = static_cast<const char*>(address);
  return memory_ != nullptr && at >= memory_ && at < memory_ + count_ * kStackBytes;
}

void FiberStacks::Release() {
  if (memory_ != nullptr) munmap(memory_, count_ * kStackBytes);
  guards_in_use.fetch_sub(static_cast<int64_t>(guards_));
  memory_ = nullptr;
  count_ = guards_ = 0;
}

}  // namespace mmtune::simt
