// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution contexts with stacks of their own, switched by hand: one per GPU thread.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <memory>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "absl/status/status.h"

namespace mmtune::simt {

enum class FiberKind {
  kNative,    ///< A hand-written switch; x86-64 only.
  kPortable,  ///< ucontext: everywhere, an order of magnitude slower.
};

/// kNative where it exists.
FiberKind DefaultFiberKind();

/// The stack [bottom, top).
struct StackSpan {
  char* bottom = nullptr;
  char* top = nullptr;
};

/// A suspended execution. Default-constructed, it stands for the OS thread's own stack once somebody switches away
/// from it. A fiber belongs to one OS thread at a time; switching back to it from another one is not supported.
class Fiber {
 public:
  using Entry = void (*)(void*);

  /// The next switch to this fiber calls entry(argument) on `stack`, whatever it was doing before. `entry` never
  /// returns.
  void Prepare(FiberKind kind, StackSpan stack, Entry entry, void* argument);

  /// Suspends the running execution in `from` and resumes `to`. Signal masks and floating-point modes are not part of a
  /// native fiber's state.
  static void Switch(FiberKind kind, Fiber* from, Fiber* to);

 private:
  void PrepareNative(StackSpan stack, Entry entry, void* argument);
  void PreparePortable(StackSpan stack, Entry entry, void* argument);
  static void SwitchPortable(Fiber* from, Fiber* to);

  void* stack_pointer_ = nullptr;
  std::unique_ptr<ucontext_t> portable_;
};

#if defined(__x86_64__)
extern "C" void mmtune_simt_switch_fiber(void** save_stack_pointer, void* stack_pointer);
#endif

inline void Fiber::Prepare(FiberKind kind, StackSpan stack, Entry entry, void* argument) {
#if defined(__SANITIZE_ADDRESS__)
  // The frames of an abandoned execution never returned, so their red zones are still there.
  __asan_unpoison_memory_region(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
#endif
  if (kind == FiberKind::kNative) {
    PrepareNative(stack, entry, argument);
  } else {
    PreparePortable(stack, entry, argument);
  }
}

inline void Fiber::Switch(FiberKind kind, Fiber* from, Fiber* to) {
#if defined(__x86_64__)
  if (kind == FiberKind::kNative) {
    mmtune_simt_switch_fiber(&from->stack_pointer_, to->stack_pointer_);
    return;
  }
#endif
  SwitchPortable(from, to);
}

/// Address space for many small stacks, committed page by page as they are used. Each stack has a guard page below it
/// while the process's budget of guard pages lasts (every one costs two of the kernel's memory mappings).
/// Not thread-safe.
class FiberStacks {
 public:
  /// Of one stack, guard page included.
  static constexpr size_t kStackBytes = 128 * 1024;

  FiberStacks() = default;
  ~FiberStacks() { Release(); }
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  /// Makes at least `count` stacks. May move them all: no fiber may be suspended on one.
  absl::Status Reserve(size_t count);

  /// Stack `index`. Tops are staggered, or all stacks would compete for the same sets of the L1 cache.
  StackSpan Stack(size_t index) const;

  /// Whether `address` lies in one of the stacks or guard pages.
  bool Contains(const void* address) const;

 private:
  void Release();

  char* memory_ = nullptr;
  size_t count_ = 0;
  size_t guards_ = 0;
};

}  // namespace mmtune::simt
