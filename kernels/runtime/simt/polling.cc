// Loops that poll memory.
#include <algorithm>
#include <cstring>

#include "kernels/runtime/simt/block_runner.h"

namespace mmtune::simt {
namespace {

/// A loop that is short runs on.
constexpr uint32_t kFreePolls = 16;

PolledWords::Word* Find(PolledWords& polled, const void* address) {
  auto found = std::find_if(polled.words.begin(), polled.words.end(),
                            [&](const PolledWords::Word& word) { return word.address == address; });
  return found == polled.words.end() ? nullptr : &*found;
}

}  // namespace

void BlockRunner::BeforeAccess(GpuThread* thread, const void* address, AccessKind kind, uint32_t site) {
  if (is_plain_ || !IsAtomic(kind) || !Reads(kind) || thread->polled.polls < kFreePolls) return;
  if (Find(thread->polled, address) != nullptr) Yield(thread, site);
}

void BlockRunner::AfterAccess(GpuThread* thread, const void* address, size_t bytes, AccessKind kind) {
  if (is_plain_ || kind == AccessKind::kRead) return;
  PolledWords& polled = thread->polled;
  if (IsAtomic(kind) && Reads(kind)) {
    uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof(value)));
    PolledWords::Word* word = Find(polled, address);
    if (word != nullptr && word->value == value) {
      ++polled.polls;
      return;
    }
    if (word == nullptr) word = &polled.words[polled.next++ % polled.words.size()];
    *word = {address, value};
  }
  polled.polls = 0;
  NoteProgress();
}

}  // namespace mmtune::simt
