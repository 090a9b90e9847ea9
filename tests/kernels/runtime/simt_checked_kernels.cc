// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels instrumented for the race detector like the compiler's: calls before accesses, a table of sites, red zones.

#include <cstdint>
#include <cstring>

#include "kernels/simulator/abi/abi.h"

using mmtune::simt::AccessKind;
using mmtune::simt::ThreadContext;

namespace {

uint32_t* Buffer(void** arguments) {
  uint32_t* pointer;
  std::memcpy(&pointer, arguments[0], sizeof(pointer));
  return pointer;
}

enum : uint32_t { kStore = 1, kLoad, kBarrier };

void Store(ThreadContext* t, uint32_t* address, uint32_t value) {
  mmtune_simt_access(t, address, sizeof(*address), AccessKind::kWrite, kStore);
  *address = value;
}

uint32_t Load(ThreadContext* t, const uint32_t* address) {
  mmtune_simt_access(t, address, sizeof(*address), AccessKind::kRead, kLoad);
  return *address;
}

/// A red zone follows.
const volatile uint32_t kConstants[4 + 32] = {1, 2, 3, 4};

uint32_t LoadConstant(ThreadContext* t, uint32_t i) { return Load(t, const_cast<const uint32_t*>(&kConstants[i])); }

void Rotate(ThreadContext* t, void** arguments, bool with_barrier) {
  auto* shared = reinterpret_cast<uint32_t*>(t->shared);
  Store(t, &shared[t->linear_tid], LoadConstant(t, t->linear_tid % 4));
  if (with_barrier) mmtune_simt_barrier(t, 0, 0, kBarrier);
  Store(t, &Buffer(arguments)[t->linear_tid], Load(t, &shared[(t->linear_tid + 1) % t->ntid[0]]));
}

}  // namespace

extern "C" {

extern const mmtune::simt::Site mmtune_simt_sites[];
const mmtune::simt::Site mmtune_simt_sites[] = {{"unknown", "unknown", 0},
                                                {"llvm.store", "rotate.mlir:10:5", 0},
                                                {"llvm.load", "rotate.mlir:12:5", 0},
                                                {"nvvm.barrier0", "rotate.mlir:11:5", 0},
                                                {nullptr, nullptr, 0}};
extern const mmtune::simt::RedZone mmtune_simt_red_zones[];
const mmtune::simt::RedZone mmtune_simt_red_zones[] = {{256, 1024}, {0, 0}};
extern const mmtune::simt::Variable mmtune_simt_variables[];
const mmtune::simt::Variable mmtune_simt_variables[] = {{"constants", const_cast<const uint32_t*>(kConstants), 16, 1},
                                                        {nullptr, nullptr, 0, 0}};

#define KERNEL(name)                                  \
  extern const uint32_t name##__simt_static_shared;   \
  const uint32_t name##__simt_static_shared = (1024); \
  void name##__simt([[maybe_unused]] ThreadContext* t, [[maybe_unused]] void** arguments)

KERNEL(rotate) { Rotate(t, arguments, true); }
KERNEL(rotate_without_barrier) { Rotate(t, arguments, false); }
KERNEL(into_red_zone) { Store(t, reinterpret_cast<uint32_t*>(t->shared + 256), 1); }
KERNEL(past_the_end) { Store(t, Buffer(arguments) + 64, 1); }
KERNEL(past_a_variable) { Store(t, Buffer(arguments), LoadConstant(t, 5)); }
KERNEL(into_a_constant) { Store(t, const_cast<uint32_t*>(kConstants + 1), 1); }
KERNEL(exit_before_barrier) {
  if (t->linear_tid != 5) mmtune_simt_barrier(t, 0, 96, kBarrier);
}
/// An access that no check reports before it is made.
KERNEL(wild_write) { *reinterpret_cast<volatile char*>(uintptr_t{64}) = 1; }

}  // extern "C"
