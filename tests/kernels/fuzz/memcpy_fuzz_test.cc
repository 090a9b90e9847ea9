// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random host modules do the same with convert-memcpy-to-gpu as without it.
//
// MMTUNE_TEST_SEED is the first one's seed, MMTUNE_TEST_COUNT how many.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <string>

#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/compiler/streams/reordering_device.h"
#include "tests/kernels/fuzz/fuzz_compiler.h"
#include "tests/kernels/fuzz/module_generator.h"
#include "tests/kernels/fuzz/module_run.h"
#include "tests/kernels/runtime/test_files.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

/// The running case, for a crash of the code under test.
std::string* running = new std::string;

void ReportCrash(int signal) {
  const ssize_t written = write(STDERR_FILENO, running->data(), running->size());
  std::signal(signal, SIG_DFL);
  std::raise(written < 0 ? SIGABRT : signal);
}

class MemcpyFuzzTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, &ReportCrash);
    auto device = CreateSimtDevice("", /*threads=*/1);
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
    auto compiler = FuzzCompiler::Create(ReadFile(FUZZ_KERNELS));
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
  }
  void TearDown() override {
    SetMgpuDevice(nullptr);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  }

  absl::StatusOr<Observation> CompileAndRun(const std::string& functions, Variant variant, uint64_t seed) {
    absl::StatusOr<std::string> object = compiler_->Compile(functions, variant);
    if (!object.ok()) return object.status();
    if (variant != Variant::kSeveralStreams) return RunOn(*device_, *object, seed);
    const auto order = seed / 2 % 2 == 0 ? ReorderingDevice::Order::kRandom : ReorderingDevice::Order::kLate;
    ReorderingDevice reordering(device_.get(), compiler_->kernel_parameters(), order, static_cast<uint32_t>(seed));
    return RunOn(reordering, *object, seed);
  }

  static absl::StatusOr<Observation> RunOn(Device& device, const std::string& object, uint64_t seed) {
    SetMgpuDevice(&device, {.poison_allocations = true});
    absl::StatusOr<Observation> seen = RunModule(object, seed);
    SetMgpuDevice(nullptr);
    return seen;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<FuzzCompiler> compiler_;
};

TEST_F(MemcpyFuzzTest, ModulesDoTheSameWithDeviceMemory) {
  const uint64_t first = FreshTestSeed(), count = TestCount(300, 2000);
  uint64_t refused = 0;
  std::string refusal;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string functions = GenerateModule(seed);
    *running = "seed " + std::to_string(seed) + " (MMTUNE_TEST_SEED; kernels.mlir has the kernels):\n" + functions;
    const auto expected = CompileAndRun(OnHost(functions), Variant::kHostMemory, seed);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\nwithout the pass, " << *running;
    const Variant variant = seed % 2 == 0 ? Variant::kOneStream : Variant::kSeveralStreams;
    const auto actual = CompileAndRun(functions, variant, seed);
    if (actual.status().code() == absl::StatusCode::kFailedPrecondition) {
      ++refused;
      refusal = actual.status().ToString();
      continue;
    }
    ASSERT_TRUE(actual.ok()) << actual.status() << "\n" << *running;
    ASSERT_EQ(Difference(*expected, *actual), "") << *running;
  }
  // Two of a hundred, and what chance may add to that.
  const double most = static_cast<double>(count) / 50;
  EXPECT_LE(static_cast<double>(refused), 1 + most + 4 * std::sqrt(most)) << refusal;
  EXPECT_GT(GetMgpuCounters().allocations, static_cast<int64_t>(count));
  RecordProperty("modules", static_cast<int>(count));
}

TEST(ModuleGeneratorTest, EqualSeedsGiveEqualModules) {
  EXPECT_EQ(GenerateModule(7), GenerateModule(7));
  EXPECT_NE(GenerateModule(7), GenerateModule(8));
}

TEST(ModuleGeneratorTest, EveryConstructIsGenerated) {
  std::string all;
  for (uint64_t seed = 1; seed <= 200; ++seed) all += GenerateModule(seed);
  for (const char* construct : {"func.func private @",
                                "func.func @helper",
                                "cf.cond_br",
                                "cf.br ^head",
                                "cf.br ^end",
                                "scf.if",
                                "else",
                                "scf.for",
                                "scf.while",
                                "iter_args(%",
                                "arith.select",
                                "memref.alloca(",
                                "memref.alloc(%n)",
                                "memref.dealloc",
                                "memref.copy",
                                "memref.load",
                                "memref.store",
                                "memref.subview",
                                "memref.transpose",
                                "memref.expand_shape",
                                "memref.collapse_shape",
                                "memref.reinterpret_cast",
                                "memref<*xf32>",
                                "get_global @state",
                                "get_global @grid",
                                "get_global @table",
                                "call @helper",
                                "gpu.alloc (",
                                "gpu.memcpy",
                                "gpu.dealloc",
                                "arith.constant -2 : index",
                                "@overwrite",
                                "@count",
                                "@every_other",
                                "@add",
                                "@sum",
                                "@reflect",
                                "@hidden",
                                "@first_column"}) {
    EXPECT_NE(all.find(construct), std::string::npos) << construct;
  }
}

}  // namespace
}  // namespace mmtune
