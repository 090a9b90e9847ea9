// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device's operations against the golden vectors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels/simulator/ops/tensor_map.h"
#include "tests/kernels/simulator/ops/golden_file.h"
#include "tests/kernels/simulator/ops/run_block.h"

namespace mmtune::simt {
namespace {

class GoldenOps : public testing::TestWithParam<const char*> {};

void RunThread(const GoldenOp& golden, GpuThread& thread, std::vector<uint32_t>* out) {
  std::vector<uint32_t> in = golden.in[thread.linear_tid];
  if (golden.has_address) {
    const char* address = thread.shared + in[0];
    std::memcpy(in.data(), &address, sizeof(address));
  }
  out->assign(golden.op.outputs, 0);
  mmtune_simt_warp(&thread, &golden.op, golden.mask, in.data(), out->data());
}

TEST_P(GoldenOps, MatchTheDevice) {
  const std::vector<GoldenOp> ops = ReadGoldenOps(GetParam());
  ASSERT_FALSE(ops.empty());
  for (const GoldenOp& golden : ops) {
    SCOPED_TRACE(golden.name);
    const auto threads = static_cast<uint32_t>(golden.in.size());
    const std::vector<uint32_t> before = GoldenImage(golden.before, golden.shared_bytes);
    std::vector<uint32_t> after(before.size());
    std::vector<std::vector<uint32_t>> out(threads);
    const std::string failure = RunBlock({threads, std::max(golden.shared_bytes, 4u)}, [&](GpuThread& thread) {
      if (thread.linear_tid == 0)
        std::copy_n(reinterpret_cast<const char*>(before.data()), golden.shared_bytes, thread.shared);
      mmtune_simt_barrier(&thread, 0, 0, 0);
      if ((golden.mask >> thread.lane & 1) != 0) RunThread(golden, thread, &out[thread.linear_tid]);
      mmtune_simt_barrier(&thread, 0, 0, 0);
      if (thread.linear_tid == 0)
        std::copy_n(thread.shared, golden.shared_bytes, reinterpret_cast<char*>(after.data()));
    });
    ASSERT_EQ(failure, "");
    for (uint32_t lane = 0; lane < threads; ++lane) {
      if ((golden.mask >> lane % 32 & 1) == 0) continue;
      EXPECT_EQ(out[lane], golden.out[lane]) << "lane " << lane;
    }
    for (const auto& [offset, word] : golden.after) EXPECT_EQ(after[offset / 4], word) << "shared+" << offset;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenOps,
                         testing::Values("shuffle.txt", "vote.txt", "reduce.txt", "elect.txt", "match.txt",
                                         "ldmatrix.txt", "stmatrix.txt", "mma.txt", "wgmma.txt"));

class GoldenTensorCopies : public testing::TestWithParam<const char*> {};

CopyReduction ReductionOf(const std::string& operation) {
  static const std::map<std::string, CopyReduction> kReductions = {
      {"store", CopyReduction::kNone}, {"add", CopyReduction::kAdd}, {"min", CopyReduction::kMin},
      {"max", CopyReduction::kMax},    {"inc", CopyReduction::kInc}, {"dec", CopyReduction::kDec},
      {"and", CopyReduction::kAnd},    {"or", CopyReduction::kOr},   {"xor", CopyReduction::kXor}};
  return kReductions.at(operation);
}

void RunCopy(const GoldenTensorCopy& golden, const TensorMapBytes& map, GpuThread& thread) {
  char* box = thread.shared + kGoldenBoxOffset;
  const auto rank = static_cast<uint32_t>(golden.at.size());
  if (golden.operation != "load") {
    mmtune_simt_tensor_store(&thread, map.data(), box, rank, golden.at.data(), ReductionOf(golden.operation), 0);
    mmtune_simt_bulk_commit(&thread);
    mmtune_simt_bulk_wait(&thread, 0, 0, 0);
    return;
  }
  uint32_t bytes = static_cast<uint32_t>(TensorElementBytes(golden.map.data_type));
  for (uint32_t side : golden.map.box) bytes *= side;
  mmtune_simt_mbarrier_init(&thread, thread.shared, 1, 0);
  mmtune_simt_mbarrier_arrive(&thread, thread.shared, 1, bytes, 0, 0);
  mmtune_simt_tensor_load(&thread, box, map.data(), rank, golden.at.data(), thread.shared, 0, 0);
  mmtune_simt_mbarrier_test(&thread, thread.shared, 0, 1, 1, 0);
}

TEST_P(GoldenTensorCopies, MatchTheDeviceCopies) {
  const std::vector<GoldenTensorCopy> copies = ReadGoldenTensorCopies(GetParam());
  ASSERT_FALSE(copies.empty());
  for (const GoldenTensorCopy& golden : copies) {
    for (const std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(7)}) {
      SCOPED_TRACE(golden.name);
      std::unique_ptr<char, decltype(&std::free)> global(
          static_cast<char*>(std::aligned_alloc(256, (golden.global_bytes + 255) / 256 * 256)), &std::free);
      const std::vector<uint32_t> image = GoldenImage(golden.global_before, golden.global_bytes);
      std::memcpy(global.get(), image.data(), golden.global_bytes);
      TiledTensorMap map = golden.map;
      map.address = reinterpret_cast<DevicePtr>(global.get());
      const absl::StatusOr<TensorMapBytes> encoded = EncodeTensorMap(map);
      ASSERT_TRUE(encoded.ok()) << encoded.status();
      const std::vector<uint32_t> before = GoldenImage(golden.before, golden.shared_bytes);
      std::vector<uint32_t> after(before.size());
      const std::string failure = RunBlock({1, golden.shared_bytes, seed}, [&](GpuThread& thread) {
        std::copy_n(reinterpret_cast<const char*>(before.data()), golden.shared_bytes, thread.shared);
        RunCopy(golden, *encoded, thread);
        std::copy_n(thread.shared, golden.shared_bytes, reinterpret_cast<char*>(after.data()));
      });
      ASSERT_EQ(failure, "");
      for (const auto& [offset, word] : golden.after) EXPECT_EQ(after[offset / 4], word) << "shared+" << offset;
      for (const auto& [offset, word] : golden.global_after) {
        uint32_t written;
        std::memcpy(&written, global.get() + offset, sizeof(written));
        EXPECT_EQ(written, word) << "global+" << offset;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTensorCopies,
                         testing::Values("tensor_load.txt", "tensor_store.txt", "tensor_reduce.txt"));

}  // namespace
}  // namespace mmtune::simt
