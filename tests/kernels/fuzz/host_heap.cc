// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/host_heap.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

namespace mmtune {
namespace {

constexpr size_t kGuardBytes = 64;
constexpr unsigned char kGuard = 0xA5, kFresh = 0xFF, kDead = 0xDD;

struct Heap {
  std::map<unsigned char*, size_t> live;  ///< Size by address.
  std::string error;
};

Heap& TheHeap() {
  static auto* heap = new Heap;
  return *heap;
}

void Fail(const char* what) {
  if (TheHeap().error.empty()) TheHeap().error = what;
}

bool IsGuard(const unsigned char* bytes) {
  return std::all_of(bytes, bytes + kGuardBytes, [](unsigned char byte) { return byte == kGuard; });
}

void* Malloc(size_t bytes) {
  auto* block = static_cast<unsigned char*>(std::malloc(bytes + 2 * kGuardBytes));
  std::memset(block, kGuard, bytes + 2 * kGuardBytes);
  std::memset(block + kGuardBytes, kFresh, bytes);
  TheHeap().live[block + kGuardBytes] = bytes;
  return block + kGuardBytes;
}

void Release(unsigned char* pointer, size_t bytes) {
  if (!IsGuard(pointer - kGuardBytes) || !IsGuard(pointer + bytes))
    Fail("host memory beside an allocation was written");
  std::memset(pointer - kGuardBytes, kDead, bytes + 2 * kGuardBytes);
  std::free(pointer - kGuardBytes);
}

}  // namespace

std::vector<std::pair<std::string, void*>> HostHeap::Symbols() {
  return {{"malloc", reinterpret_cast<void*>(&Malloc)}, {"free", reinterpret_cast<void*>(&HostHeap::Free)}};
}

size_t HostHeap::Live() { return TheHeap().live.size(); }

bool HostHeap::IsLive(const void* pointer) {
  return TheHeap().live.count(static_cast<unsigned char*>(const_cast<void*>(pointer))) > 0;
}

void HostHeap::Free(void* pointer) {
  if (pointer == nullptr) return;
  auto found = TheHeap().live.find(static_cast<unsigned char*>(pointer));
  if (found == TheHeap().live.end()) return Fail("host memory was freed twice, or was never allocated");
  Release(found->first, found->second);
  TheHeap().live.erase(found);
}

std::string HostHeap::Reset() {
  for (const auto& [pointer, bytes] : TheHeap().live) Release(pointer, bytes);
  TheHeap().live.clear();
  return std::exchange(TheHeap().error, "");
}

}  // namespace mmtune
