// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers: execution contexts with stacks of their own, switched in user space. Each GPU thread runs on one.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "absl/status/status.h"

namespace mmtune::simt {

/// The stack [bottom, top).
struct StackSpan {
  char* bottom = nullptr;
  char* top = nullptr;
};

/// A suspended execution, over Boost.Context. A default-constructed one stands for the OS thread's own stack after a
/// switch away from it. Belongs to one OS thread: switching back from another one is not supported.
class Fiber {
 public:
  using Entry = void (*)(void*);

  /// Makes the next switch to this fiber call entry(argument) on `stack`, and drops what it was executing before.
  /// `entry` never returns.
  void Prepare(StackSpan stack, Entry entry, void* argument);

  /// Suspends the running execution in `from` and resumes `to`. Signal masks are not saved.
  static void Switch(Fiber* from, Fiber* to) {
    Crossing crossing = {from, to};
    Arrive(boost::context::detail::jump_fcontext(to->context_, &crossing));
  }

 private:
  struct Crossing {
    Fiber* from;
    Fiber* to;
  };
  /// Runs on the resumed fiber: keeps where the one that switched to it is suspended.
  static Fiber* Arrive(boost::context::detail::transfer_t transfer) {
    const auto* crossing = static_cast<const Crossing*>(transfer.data);
    crossing->from->context_ = transfer.fctx;
    return crossing->to;
  }
  static void Begin(boost::context::detail::transfer_t transfer);

  boost::context::detail::fcontext_t context_ = nullptr;
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
};

/// Address space for many small stacks, committed page by page as they are used. Each stack has a guard page below it,
/// as long as the process's budget of guard pages lasts (each costs two of the kernel's memory mappings).
/// Not thread-safe.
class FiberStacks {
 public:
  /// The size of one stack, guard page included.
  static constexpr size_t kStackBytes = 128 * 1024;

  FiberStacks() = default;
  ~FiberStacks() { Release(); }
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  /// Makes at least `count` stacks. May move all of them: no fiber may be suspended on one.
  absl::Status Reserve(size_t count);

  /// Returns stack `index`. Tops are staggered, because aligned stacks would compete for the same sets of the L1 cache.
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
