// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/memref.h"

#include <cstring>
#include <vector>

namespace mmtune {
namespace {

/// Joins the inner dimensions that are dense in both views to a run of `*run` elements. Returns the number of outer
/// dimensions that remain.
int64_t JoinInnerDimensions(const MemrefView& source, const MemrefView& target, int64_t rank, int64_t* run) {
  *run = 1;
  int64_t outer = rank;
  while (outer > 0) {
    const int64_t size = source.sizes[outer - 1];
    const bool dense = source.strides[outer - 1] == *run && target.strides[outer - 1] == *run;
    if (!dense && size != 1) break;
    *run *= size;
    --outer;
  }
  return outer;
}

/// Advances the index of the outer dimensions and both offsets, in elements; false after the last one.
bool Advance(const MemrefView& source, const MemrefView& target, std::vector<int64_t>* index, int64_t* from,
             int64_t* to) {
  for (size_t i = index->size(); i-- > 0;) {
    *from += source.strides[i];
    *to += target.strides[i];
    if (++(*index)[i] < source.sizes[i]) return true;
    *from -= source.strides[i] * source.sizes[i];
    *to -= target.strides[i] * source.sizes[i];
    (*index)[i] = 0;
  }
  return false;
}

}  // namespace

void CopyByRuns(int64_t rank, int64_t element_bytes, const MemrefView& source, const MemrefView& target,
                absl::FunctionRef<void(char* to, const char* from, size_t bytes)> copy) {
  for (int64_t i = 0; i < rank; ++i) {
    if (source.sizes[i] == 0) return;
  }
  int64_t run = 1;
  const int64_t outer = JoinInnerDimensions(source, target, rank, &run);
  std::vector<int64_t> index(static_cast<size_t>(outer), 0);
  int64_t from = 0, to = 0;
  do {
    copy(target.origin + to * element_bytes, source.origin + from * element_bytes,
         static_cast<size_t>(run * element_bytes));
  } while (Advance(source, target, &index, &from, &to));
}

}  // namespace mmtune

void memrefCopy(int64_t element_bytes, const MmtuneUnrankedMemref* source, const MmtuneUnrankedMemref* target) {
  const int64_t rank = source->rank;
  mmtune::CopyByRuns(rank, element_bytes, mmtune::MemrefView(rank, source->descriptor, element_bytes),
                     mmtune::MemrefView(rank, target->descriptor, element_bytes),
                     [](char* to, const char* from, size_t bytes) { std::memcpy(to, from, bytes); });
}
