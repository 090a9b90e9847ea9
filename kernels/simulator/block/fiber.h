// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers: execution contexts with their own stacks, switched in user space (Boost.Context). The simulator runs each GPU
// thread on one, so that waiting at a barrier costs a function call and not a system call.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "absl/status/status.h"

namespace mmtune::simt {

/// The memory of a stack, [bottom, top).
struct StackSpan {
  char* bottom = nullptr;
  char* top = nullptr;
};

/// A suspended execution. To leave the OS thread's own execution, and to return to it, pass a default-constructed Fiber
/// as `from` and later as `to`. A fiber must always be resumed by the same OS thread.
class Fiber {
 public:
  using Entry = void (*)(void*);

  /// Makes the next switch to this fiber call entry(argument) on `stack`. Its previous execution is dropped. `entry`
  /// must never return.
  void Prepare(StackSpan stack, Entry entry, void* argument);

  /// Suspends the running execution in `from`, and resumes `to`. Does not save signal masks.
  static void Switch(Fiber* from, Fiber* to) {
    FiberSwitch crossing = {from, to};
    Arrive(boost::context::detail::jump_fcontext(to->context_, &crossing));
  }

 private:
  /// The two fibers of a switch.
  struct FiberSwitch {
    Fiber* from;
    Fiber* to;
  };
  /// Runs on the resumed fiber: stores in `from` where that fiber was suspended. Returns the resumed fiber.
  static Fiber* Arrive(boost::context::detail::transfer_t transfer) {
    const auto* crossing = static_cast<const FiberSwitch*>(transfer.data);
    crossing->from->context_ = transfer.fctx;
    return crossing->to;
  }
  static void Begin(boost::context::detail::transfer_t transfer);

  boost::context::detail::fcontext_t context_ = nullptr;
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
};

/// Many small stacks in one range of addresses. Pages use memory only once they are touched. Each stack has a guard
/// page below it, unless the process's budget of guard pages is used up (each costs two memory mappings of Linux). Not
/// thread-safe.
class FiberStacks {
 public:
  /// The size of one stack with its guard page. Not a power of two: the pages of all stacks would compete for the same
  /// sets of the TLB, which made kernels with many barriers up to a quarter slower.
  static constexpr size_t kStackBytes = 256 * 1024 + 4096;

  FiberStacks() = default;
  ~FiberStacks() { Release(); }
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  /// Makes at least `count` stacks. May move all of them, so no fiber may be suspended on one. Returns
  /// ResourceExhausted if there is no address space for them.
  absl::Status Reserve(size_t count);

  /// Returns stack `index`. The tops are staggered, because aligned stacks would compete for the same sets of the L1
  /// cache.
  StackSpan Stack(size_t index) const;

  /// True if `address` lies in a stack or guard page.
  bool Contains(const void* address) const;

 private:
  void Release();

  char* memory_ = nullptr;
  size_t count_ = 0;
  size_t guards_ = 0;
};

}  // namespace mmtune::simt
