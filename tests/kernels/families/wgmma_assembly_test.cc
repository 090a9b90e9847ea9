// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas compiles the loops of `wgmma` schedules to the intended machine code. Needs ptxas and nvdisasm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "kernels/perf_model/profile/sass.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

/// A schedule, and what the consumers' loop of 4096x4096x4096 of bf16 has for each k step: HGMMA, and at most so many
/// other instructions without padding.
struct Case {
  const char* name;
  const char* changes;
  int64_t products, others;
};

constexpr Case kCases[] = {
    {"OneTileABlock", "", 4, 26},
    {"PersistentWithStoresByCopies", "epi_buffers=2 epi_columns=32 blocks=128", 4, 27},
    {"Cluster", "cluster_m=2", 4, 28},
    {"PingPong", "blocks=128 mode=1", 4, 28},
    {"TwoBlocksOfRows", "bn=128 mi=2", 8, 34},
    {"OneConsumerFiveStages", "bn=128 consumers=1 stages=5", 4, 27},
};

Schedule ScheduleOf(const Case& one) {
  WgmmaSchedule reference;
  reference.bn = 256;
  reference.epiColumns = 0;
  Schedule schedule = reference.ToSchedule();
  if (*one.changes == '\0') return schedule;
  const Schedule changed = *ParseSchedule(absl::StrCat("wgmma ", one.changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

/// Names nvdisasm for FindDisassembler(), if the environment has none but tests/bench/sass_table has installed one.
void UseInstalledDisassembler() {
  if (!FindDisassembler().empty()) return;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SASS_VENV, ignored))
    if (entry.path().filename() == "nvdisasm") setenv("MMTUNE_NVDISASM", entry.path().c_str(), 1);
}

/// Returns the number of instructions whose opcode begins with `opcode`.
int64_t CountOf(std::string_view opcode, std::span<const SassInstruction> instructions) {
  return std::ranges::count_if(instructions,
                               [&](const SassInstruction& one) { return one.opcode.starts_with(opcode); });
}

/// Returns the innermost loop with an instruction whose opcode begins with `opcode`. Its last instruction is a
/// conditional branch; others lead back from waits that are emitted elsewhere.
std::span<const SassInstruction> LoopOf(std::string_view opcode, std::span<const SassInstruction> function) {
  std::span<const SassInstruction> innermost;
  for (size_t i = 0; i < function.size(); ++i) {
    const int64_t target = function[i].target;
    if (function[i].predicate.empty() || target < 0 || target > static_cast<int64_t>(i)) continue;
    const auto loop = function.subspan(target, i - target + 1);
    if (CountOf(opcode, loop) > 0 && (innermost.empty() || loop.size() < innermost.size())) innermost = loop;
  }
  return innermost;
}

class WgmmaAssemblyTest : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    UseInstalledDisassembler();
    if (findPtxas().empty() || FindDisassembler().empty()) GTEST_SKIP() << "no ptxas or no nvdisasm";
    static std::map<std::string, SassFunction> functions;  // Each is compiled once.
    SassFunction& function = functions[GetParam().name];
    if (function.instructions.empty()) Compile(function);
    function_ = function;
  }

  void Compile(SassFunction& function) {
    CompileTarget target;
    target.device = TestDevice("sm_90");
    target.host_code = false;
    const absl::StatusOr<CompiledKernel> kernel = (*Compiler::Create())->Compile(problem_, schedule_, target);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    EXPECT_EQ(kernel->resources.spill_bytes, 0);
    absl::StatusOr<SassListing> listing = Disassemble(kernel->image, "sm_90a");
    ASSERT_TRUE(listing.ok()) << listing.status();
    ASSERT_NE(listing->Find(kWgmmaKernel), nullptr);
    function = *listing->Find(kWgmmaKernel);
  }

  const MatmulProblem problem_ = *ParseMatmulShape("4096x4096x4096", DataType::kBf16);
  const Schedule schedule_ = ScheduleOf(GetParam());
  SassFunction function_;
};

constexpr const char* kSlowInstructions[] = {"R2UR", "MEMBAR", "ERRBAR", "CCTL", "NANOSLEEP", "WARPSYNC"};

TEST_P(WgmmaAssemblyTest, ConsumersMultiplyInPlaceWithFewOtherInstructions) {
  const absl::StatusOr<SassLoop> hot = FindHotLoop(function_);
  ASSERT_TRUE(hot.ok()) << hot.status();
  const auto loop = std::span(function_.instructions).subspan(hot->first, hot->size());
  EXPECT_EQ(CountOf("HGMMA", loop), GetParam().products);
  for (const SassInstruction& one : loop) {
    if (!one.opcode.starts_with("HGMMA")) continue;
    ASSERT_GE(one.operands.size(), 3u);
    EXPECT_EQ(one.operands[0], one.operands[2]) << "the accumulators are moved";
  }
  EXPECT_EQ(CountOf("WARPGROUP.ARRIVE", loop), 1);
  EXPECT_EQ(CountOf("WARPGROUP.DEPBAR", loop), 1);
  for (const char* slow : kSlowInstructions) EXPECT_EQ(CountOf(slow, loop), 0) << slow;
  const int64_t padding = std::ranges::count_if(loop, &SassInstruction::IsPadding);
  EXPECT_LE(static_cast<int64_t>(loop.size()) - padding - GetParam().products, GetParam().others);
}

TEST_P(WgmmaAssemblyTest, TheProducerLoadsEachSlabByOneCopy) {
  const auto loop = LoopOf("UTMALDG", function_.instructions);
  ASSERT_FALSE(loop.empty());
  const WgmmaTiling tiling(problem_, WgmmaSchedule::FromSchedule(schedule_));
  EXPECT_EQ(CountOf("UTMALDG", loop), tiling.a.slabs + tiling.b.slabs);
  EXPECT_EQ(CountOf("SYNCS", loop), 2) << "a wait and an arrival";
  for (const char* slow : kSlowInstructions) EXPECT_EQ(CountOf(slow, loop), 0) << slow;
}

INSTANTIATE_TEST_SUITE_P(NamedSchedules, WgmmaAssemblyTest, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

// 128x256x64 and its like: no more than 8 other instructions for each HGMMA.
TEST(WgmmaAssemblyCasesTest, AllowAtMostEightOtherInstructionsForAProduct) {
  for (const Case& one : kCases) EXPECT_LE(one.others, 8 * one.products) << one.name;
}

}  // namespace
}  // namespace mmtune
