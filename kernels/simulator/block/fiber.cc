// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr size_t kGuardBytes = 4096;
constexpr size_t kStaggerStep = 192;
constexpr size_t kStaggerRange = 8192;

// Linux allows 65530 mappings to a process by default; leave most of them to others.
constexpr int64_t kGuardBudget = 12000;
std::atomic<int64_t> guards_in_use{0};

}  // namespace

void Fiber::Prepare(StackSpan stack, Entry entry, void* argument) {
#if defined(__SANITIZE_ADDRESS__)
  // The frames of an abandoned execution never returned, so their red zones are still there.
  __asan_unpoison_memory_region(stack.bottom, static_cast<size_t>(stack.top - stack.bottom));
#endif
  context_ = boost::context::detail::make_fcontext(stack.top, static_cast<size_t>(stack.top - stack.bottom), &Begin);
  entry_ = entry;
  argument_ = argument;
}

void Fiber::Begin(boost::context::detail::transfer_t transfer) {
  const Fiber* self = Arrive(transfer);
  self->entry_(self->argument_);
}

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
