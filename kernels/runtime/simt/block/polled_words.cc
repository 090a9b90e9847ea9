// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block/polled_words.h"

#include <algorithm>

namespace mmtune::simt {

const PolledWords::Word* PolledWords::Find(const void* address) const {
  auto found = std::find_if(words_.begin(), words_.end(), [&](const Word& word) { return word.address == address; });
  return found == words_.end() ? nullptr : &*found;
}

bool PolledWords::Learn(const void* address, uint64_t value) {
  const Word* known = Find(address);
  if (known != nullptr && known->value == value) {
    ++polls_;
    return false;
  }
  const size_t at = known != nullptr ? known - words_.data() : next_++ % words_.size();
  words_[at] = {address, value};
  return true;
}

}  // namespace mmtune::simt
