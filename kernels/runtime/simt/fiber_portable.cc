#include <cstdint>
#include <cstdlib>

#include "kernels/runtime/simt/fiber.h"

namespace mmtune::simt {
namespace {

// makecontext passes ints only: the two pointers travel in halves.
void StartPortable(unsigned entry_high, unsigned entry_low, unsigned argument_high, unsigned argument_low) {
  auto join = [](unsigned high, unsigned low) { return (static_cast<uintptr_t>(high) << 32) | low; };
  reinterpret_cast<Fiber::Entry>(join(entry_high, entry_low))(
      reinterpret_cast<void*>(join(argument_high, argument_low)));
  std::abort();
}

unsigned High(uintptr_t value) { return static_cast<unsigned>(value >> 32); }
unsigned Low(uintptr_t value) { return static_cast<unsigned>(value); }

}  // namespace

void Fiber::PreparePortable(StackSpan stack, Entry entry, void* argument) {
  if (!portable_) portable_ = std::make_unique<ucontext_t>();
  getcontext(portable_.get());
  portable_->uc_stack.ss_sp = stack.bottom;
  portable_->uc_stack.ss_size = static_cast<size_t>(stack.top - stack.bottom);
  portable_->uc_link = nullptr;
  const auto entry_bits = reinterpret_cast<uintptr_t>(entry);
  const auto argument_bits = reinterpret_cast<uintptr_t>(argument);
  makecontext(portable_.get(), reinterpret_cast<void (*)()>(&StartPortable), 4, High(entry_bits), Low(entry_bits),
              High(argument_bits), Low(argument_bits));
}

void Fiber::SwitchPortable(Fiber* from, Fiber* to) {
  if (!from->portable_) from->portable_ = std::make_unique<ucontext_t>();
  swapcontext(from->portable_.get(), to->portable_.get());
}

}  // namespace mmtune::simt
