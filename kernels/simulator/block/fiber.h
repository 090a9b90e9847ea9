// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution contexts with stacks of their own, switched by hand: one per GPU thread. x86-64 only.
#pragma once

#include <cstddef>

#include "absl/status/status.h"

#if !defined(__x86_64__)
#error "mmtune is built on x86-64 hosts: the SIMT device switches fibers and computes with its instructions"
#endif

namespace mmtune::simt {

/// The stack [bottom, top).
struct StackSpan {
  char* bottom = nullptr;
  char* top = nullptr;
};

extern "C" void mmtune_simt_switch_fiber(void** save_stack_pointer, void* stack_pointer);

/// A suspended execution. Default-constructed, it stands for the OS thread's own stack once somebody switches away
/// from it. A fiber belongs to one OS thread at a time; switching back to it from another one is not supported.
class Fiber {
 public:
  using Entry = void (*)(void*);

  /// The next switch to this fiber calls entry(argument) on `stack`, whatever it was doing before. `entry` never
  /// returns.
  void Prepare(StackSpan stack, Entry entry, void* argument);

  /// Suspends the running execution in `from` and resumes `to`. Signal masks and floating-point modes are not part of a
  /// fiber's state.
  static void Switch(Fiber* from, Fiber* to) { mmtune_simt_switch_fiber(&from->stack_pointer_, to->stack_pointer_); }

 private:
  void* stack_pointer_ = nullptr;
};

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
