// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/memref.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

/// A view of bytes: allocated, aligned, offset, sizes, strides, as generated code lays them out.
class View {
 public:
  View(std::vector<char>* memory, int64_t offset, const std::vector<int64_t>& sizes,
       const std::vector<int64_t>& strides)
      : rank_(static_cast<int64_t>(sizes.size())) {
    const auto address = reinterpret_cast<int64_t>(memory->data());
    words_ = {address, address, offset};
    words_.insert(words_.end(), sizes.begin(), sizes.end());
    words_.insert(words_.end(), strides.begin(), strides.end());
  }
  MmtuneUnrankedMemref Unranked() { return {rank_, words_.data()}; }

 private:
  int64_t rank_;
  std::vector<int64_t> words_;
};

std::vector<char> Counting(size_t bytes) {
  std::vector<char> memory(bytes);
  std::iota(memory.begin(), memory.end(), 1);
  return memory;
}

void Copy(int64_t element_bytes, View source, View target) {
  const MmtuneUnrankedMemref from = source.Unranked(), to = target.Unranked();
  memrefCopy(element_bytes, &from, &to);
}

TEST(MemrefCopyTest, DenseMemrefsAreCopiedWhole) {
  std::vector<char> in = Counting(24), out(24);
  Copy(4, View(&in, 0, {2, 3}, {3, 1}), View(&out, 0, {2, 3}, {3, 1}));
  EXPECT_EQ(out, in);
}

TEST(MemrefCopyTest, RowsOfAWiderMatrixLeaveTheRestAlone) {
  std::vector<char> in = Counting(6), out(12);
  Copy(1, View(&in, 0, {2, 3}, {3, 1}), View(&out, 1, {2, 3}, {6, 1}));
  EXPECT_EQ(out, (std::vector<char>{0, 1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0}));
}

TEST(MemrefCopyTest, TransposesByStrides) {
  std::vector<char> in = Counting(12), out(12);
  Copy(2, View(&in, 0, {2, 3}, {3, 1}), View(&out, 0, {2, 3}, {1, 2}));
  EXPECT_EQ(out, (std::vector<char>{1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12}));
}

TEST(MemrefCopyTest, ADimensionOfOneMayHaveAnyStride) {
  std::vector<char> in = Counting(6), out(6);
  Copy(1, View(&in, 0, {2, 1, 3}, {3, 77, 1}), View(&out, 0, {2, 1, 3}, {3, -5, 1}));
  EXPECT_EQ(out, in);
}

TEST(MemrefCopyTest, RankZeroIsOneElementAndEmptyMemrefsAreNone) {
  std::vector<char> in = Counting(8), out(8);
  Copy(4, View(&in, 1, {}, {}), View(&out, 0, {}, {}));
  EXPECT_EQ(out, (std::vector<char>{5, 6, 7, 8, 0, 0, 0, 0}));
  Copy(4, View(&in, 0, {2, 0}, {5, 1}), View(&out, 0, {2, 0}, {1, 1}));
  EXPECT_EQ(out, (std::vector<char>{5, 6, 7, 8, 0, 0, 0, 0}));
}

TEST(MemrefCopyTest, NegativeStridesGoBackwards) {
  std::vector<char> in = Counting(4), out(4);
  Copy(1, View(&in, 3, {4}, {-1}), View(&out, 0, {4}, {1}));
  EXPECT_EQ(out, (std::vector<char>{4, 3, 2, 1}));
}

}  // namespace
