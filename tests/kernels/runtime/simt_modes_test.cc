// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector and schedule fuzzing of a SIMT device; race_monitor_test.cc tests all findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/simulator/launch_pool.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/runtime/test_files.h"
#include "tests/kernels/simulator/race_detector/monitored_launch.h"

namespace mmtune::simt {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class CheckModeTest : public testing::Test {
 protected:
  CheckModeTest() {
    SimtOptions options;
    options.race_detector = true;
    device_ = SimtDevice::Create(options).value();
    out_ = device_->Allocate(256).value();
    module_ = device_->LoadModule(ImageFormat::kSimtObject, ReadFile(SIMT_CHECKED_KERNELS)).value();
  }

  absl::Status Launch(DeviceModule& module, const char* kernel) {
    void* arguments[] = {&out_};
    return device_->Launch(module.GetKernel(kernel).value(), {{1, 1, 1}, {64, 1, 1}, 0}, arguments, 0);
  }
  absl::Status Launch(const char* kernel) { return Launch(*module_, kernel); }
  std::vector<Finding> TakeFindings() { return static_cast<SimtDevice&>(*device_).TakeFindings(); }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
  DevicePtr out_ = 0;
};

TEST_F(CheckModeTest, CorrectKernelGivesTheSameResult) {
  ASSERT_TRUE(Launch("rotate").ok());
  std::vector<uint32_t> out(64);
  ASSERT_TRUE(device_->CopyToHost(out.data(), out_, 256, 0).ok());
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[3], 1u);
  EXPECT_THAT(TakeFindings(), IsEmpty());
}

TEST_F(CheckModeTest, LaunchWithFindingsFailsAndTheDeviceStaysUsable) {
  const absl::Status status = Launch("rotate_without_barrier");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Launch of rotate_without_barrier"), HasSubstr("3 findings, the first: "),
                    HasSubstr("uninitialized-read: kernel rotate_without_barrier: reads 4 bytes of shared memory")));
  const std::vector<Finding> findings = TakeFindings();
  ASSERT_THAT(findings, SizeIs(3));
  EXPECT_EQ(findings[1].kind, "race-war");
  ASSERT_THAT(findings[1].parties, SizeIs(2));
  EXPECT_EQ(findings[1].parties[0].operation, "llvm.store");
  EXPECT_EQ(findings[1].parties[0].location, "rotate.mlir:10:5");
  EXPECT_EQ(findings[1].parties[1].operation, "llvm.load");
  EXPECT_EQ(findings[1].parties[1].location, "rotate.mlir:12:5");
  EXPECT_EQ(findings[1].occurrences, 63u);
  EXPECT_THAT(TakeFindings(), IsEmpty());
  EXPECT_TRUE(Launch("rotate").ok());
}

TEST_F(CheckModeTest, SetModeChangesLaterLaunches) {
  auto& device = static_cast<SimtDevice&>(*device_);
  device.SetMode(/*race_detector=*/false, /*fuzzing_seed=*/std::nullopt);
  EXPECT_TRUE(Launch("rotate_without_barrier").ok());
  EXPECT_THAT(TakeFindings(), IsEmpty());
  device.SetMode(/*race_detector=*/true, /*fuzzing_seed=*/1);
  EXPECT_FALSE(Launch("rotate_without_barrier").ok());
  EXPECT_THAT(TakeFindings(), Not(IsEmpty()));
}

TEST_F(CheckModeTest, RedZonesAndEndsOfAllocationsAreKept) {
  EXPECT_THAT(std::string(Launch("into_red_zone").message()), HasSubstr("shared-out-of-bounds"));
  EXPECT_THAT(
      std::string(Launch("past_the_end").message()),
      AllOf(HasSubstr("global-out-of-bounds"), HasSubstr("0 bytes past the end of an allocation of 256 bytes")));
  EXPECT_THAT(std::string(Launch("past_a_variable").message()),
              AllOf(HasSubstr("global-out-of-bounds"),
                    HasSubstr("4 bytes past the end of the constant @constants of 16 bytes")));
  EXPECT_THAT(std::string(Launch("into_a_constant").message()),
              AllOf(HasSubstr("constant-write"), HasSubstr("byte 4 of the constant @constants of 16 bytes")));
  EXPECT_THAT(TakeFindings(), SizeIs(4));
  EXPECT_TRUE(Launch("rotate").ok());
}

TEST_F(CheckModeTest, WriteToReadOnlyMemoryIsAFinding) {
  auto& device = static_cast<SimtDevice&>(*device_);
  EXPECT_EQ(device.SetReadOnly(out_ + 4).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(device.SetReadOnly(out_).ok());
  EXPECT_THAT(std::string(Launch("rotate").message()),
              AllOf(HasSubstr("constant-write"), HasSubstr("writes 4 bytes of memory that kernels only read")));
  EXPECT_THAT(TakeFindings(), SizeIs(1));
  EXPECT_THAT(std::string(Launch("past_the_end").message()), HasSubstr("global-out-of-bounds"));
}

TEST_F(CheckModeTest, ADeadlockListsTheGroupsThatWait) {
  EXPECT_EQ(Launch("exit_before_barrier").code(), absl::StatusCode::kFailedPrecondition);
  const std::vector<Finding> findings = TakeFindings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, "deadlock");
  EXPECT_THAT(findings[0].party_counts, ElementsAre(63, 1));
  EXPECT_EQ(findings[0].parties[0].location, "rotate.mlir:11:5");
  EXPECT_EQ(findings[0].parties[1].thread[0], 5u);
  EXPECT_THAT(FindingText(findings[0]),
              AllOf(HasSubstr("63 of warps 0 to 1: waits at barrier 0; 1 of warp 0: has exited"),
                    HasSubstr("\n  rotate.mlir:11:5: nvvm.barrier0: 63 threads of warps 0 to 1, each of which")));
}

TEST_F(CheckModeTest, RejectsKernelWithoutInstrumentation) {
  auto module = device_->LoadModule(ImageFormat::kSimtObject, ReadFile(SIMT_TEST_KERNELS)).value();
  const absl::Status status = Launch(*module, "who_am_i");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("without the code for race detection (CompileTarget::race_detection)"));
}

TEST_F(CheckModeTest, SignalOfANonKernelIsNotHandled) {
  EXPECT_EQ(Launch("wild_write").code(), absl::StatusCode::kAborted);
  EXPECT_EQ(device_->Synchronize(0).code(), absl::StatusCode::kAborted);
}

TEST_F(CheckModeTest, FindingsAreWrittenAsJson) {
  ASSERT_FALSE(Launch("rotate_without_barrier").ok());
  ASSERT_FALSE(Launch("exit_before_barrier").ok());
  const std::vector<Finding> findings = TakeFindings();
  const nlohmann::json json = nlohmann::json::parse(FindingsJson(findings));
  ASSERT_EQ(json.size(), findings.size());
  for (size_t i = 0; i < findings.size(); ++i) {
    EXPECT_EQ(json[i]["kind"], findings[i].kind);
    EXPECT_EQ(json[i]["what"], findings[i].what);
    EXPECT_EQ(json[i]["hint"], findings[i].hint);
    EXPECT_EQ(json[i]["occurrences"], findings[i].occurrences);
    ASSERT_EQ(json[i]["parties"].size(), findings[i].parties.size());
    EXPECT_EQ(json[i]["parties"][0]["location"], findings[i].parties[0].location);
    EXPECT_EQ(json[i]["parties"][0]["thread"][0], findings[i].parties[0].thread[0]);
  }
  EXPECT_EQ(json.back()["parties"][0]["count"], 63);
  EXPECT_FALSE(json[0].contains("party_counts"));
}

template <uint32_t kSites>
void RacesAtManySites(ThreadContext* t, void**) {
  for (uint32_t site = 1; site <= kSites; ++site) Store(t, Shared<uint32_t>(t, 8 * site), t->linear_tid, site);
}

TEST(FindingLimitTest, EveryPairOfProgramPointsIsReportedOnceAndCounted) {
  MonitoredShape shape;
  shape.blocks = 2;
  const std::vector<Finding> findings = MonitoredLaunches().Run(&RacesAtManySites<5>, shape);
  ASSERT_THAT(findings, SizeIs(5));
  for (const Finding& finding : findings) EXPECT_EQ(finding.occurrences, 2 * 63u);
}

TEST(FindingLimitTest, LaunchEndsAtMaxFindings) {
  MonitoredLaunches launches;
  MonitoredShape shape;
  shape.blocks = 1000;
  shape.max_findings = 3;
  EXPECT_THAT(launches.Run(&RacesAtManySites<5>, shape), SizeIs(3));
  ASSERT_TRUE(launches.failure().has_value());
  EXPECT_EQ(launches.failure()->kind, BlockFailure::Kind::kFindings);
}

// Schedule fuzzing.

/// order[i] = the i-th of all threads to get through a barrier.
void RecordOrder(ThreadContext* t, void** arguments) {
  auto* order = Argument<uint32_t>(arguments, 0);
  mmtune_simt_barrier(t, 0, 0, 0);
  order[1 + __atomic_fetch_add(order, 1, __ATOMIC_RELAXED)] = t->ctaid[0] * t->ntid[0] + t->linear_tid;
}

/// A copy that nobody waits for, read by its own thread.
template <bool kWaits>
void CopyAndRead(ThreadContext* t, void** arguments) {
  const auto* in = Argument<float>(arguments, 0);
  auto* out = Argument<float>(arguments, 1);
  auto* shared = Shared<float>(t, 16 * t->linear_tid);
  mmtune_simt_cp_async(t, shared, in + 4 * t->linear_tid, 16, 16, 0);
  mmtune_simt_cp_async_commit(t);
  if (kWaits) mmtune_simt_cp_async_wait(t, 0, 0);
  std::memcpy(out + 4 * t->linear_tid, shared, 16);
}

void ReadUnwritten(ThreadContext* t, void** arguments) {
  Argument<float>(arguments, 0)[t->linear_tid] = *Shared<float>(t, 4 * t->linear_tid);
}

std::vector<uint32_t> Order(uint64_t seed, int os_threads, uint32_t blocks) {
  std::vector<uint32_t> order(1 + blocks * 64);
  uint32_t* pointer = order.data();
  void* arguments[] = {&pointer};
  LaunchJob job;
  job.entry = &RecordOrder;
  job.grid[0] = blocks;
  job.block[0] = 64;
  job.fuzzing_seed = seed;
  job.arguments = arguments;
  EXPECT_FALSE(LaunchPool(os_threads).Run(job).has_value());
  return {order.begin() + 1, order.end()};
}

TEST(ScheduleFuzzingTest, TheSeedAloneGivesTheOrder) {
  const std::vector<uint32_t> order = Order(1, 1, 8);
  EXPECT_EQ(Order(1, 1, 8), order);
  EXPECT_EQ(Order(1, 3, 8), order);
  EXPECT_NE(Order(2, 1, 8), order);
  std::vector<uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
}

TEST(ScheduleFuzzingTest, LastThreadAtABarrierHasNoPrivilege) {
  std::set<uint32_t> firsts;
  for (uint64_t seed = 0; seed < 32; ++seed) firsts.insert(Order(seed, 1, 1).front());
  EXPECT_GT(firsts.size(), 10u);
}

TEST(ScheduleFuzzingTest, BlocksRunInAnOrderOfTheSeed) {
  for (uint64_t blocks : {1u, 2u, 3u, 17u, 1000u}) {
    std::set<uint64_t> seen;
    std::set<uint64_t> firsts;
    for (uint64_t i = 0; i < blocks; ++i) seen.insert(BlockOrder(blocks, 7).At(i));
    EXPECT_EQ(seen.size(), blocks);
    EXPECT_LT(*seen.rbegin(), blocks);
    for (uint64_t seed = 0; seed < 64; ++seed) firsts.insert(BlockOrder(blocks, seed).At(0));
    EXPECT_GE(firsts.size(), std::min<uint64_t>(blocks, 10));
  }
  EXPECT_EQ(BlockOrder(10, std::nullopt).At(3), 3u);
}

template <typename... Buffers>
void RunWithFuzzing(KernelEntry entry, Buffers*... buffers) {
  void* arguments[] = {&buffers...};
  LaunchJob job;
  job.entry = entry;
  job.block[0] = 32;
  job.dynamic_shared_bytes = 512;
  job.fuzzing_seed = 3;
  job.arguments = arguments;
  EXPECT_FALSE(LaunchPool(1).Run(job).has_value());
}

TEST(ScheduleFuzzingTest, AMissingWaitShowsAsNaN) {
  std::vector<float> in(128, 1.0f), out(128);
  RunWithFuzzing(&CopyAndRead<true>, in.data(), out.data());
  EXPECT_THAT(out, testing::Each(1.0f));
  RunWithFuzzing(&CopyAndRead<false>, in.data(), out.data());
  EXPECT_THAT(out, testing::Each(testing::IsNan()));
}

TEST(ScheduleFuzzingTest, SharedMemoryStartsAsNaN) {
  std::vector<float> out(32);
  RunWithFuzzing(&ReadUnwritten, out.data());
  EXPECT_THAT(out, testing::Each(testing::IsNan()));
}

}  // namespace
}  // namespace mmtune::simt
