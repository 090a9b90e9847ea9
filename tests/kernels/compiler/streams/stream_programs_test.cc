// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that people wrote, through the stream passes and gpu-to-llvm, run on two devices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/compiler/streams/random_program.h"
#include "tests/kernels/compiler/streams/stream_program.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;
using Buffers = std::vector<std::vector<int32_t>>;
using Order = ReorderingDevice::Order;

constexpr char kLinearize[] = "func.func(linearize-gpu-tokens)";
constexpr char kAssign[] = "assign-gpu-streams";

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs a function and checks that nothing is left behind.
void RunMain(const std::string& text, const ProgramOptions& options, Device* device, Buffers* arguments) {
  auto object = StreamProgram::Compile(text, options);
  ASSERT_TRUE(object.ok()) << object.status();
  const MgpuCounters before = GetMgpuCounters();
  SetMgpuDevice(device);
  {
    auto program = StreamProgram::Load(*object);
    ASSERT_TRUE(program.ok()) << program.status();
    absl::Status status = (*program)->Run("main", arguments);
    EXPECT_TRUE(status.ok()) << status;
  }
  SetMgpuDevice(nullptr);
  EXPECT_EQ(Unbalanced(before, GetMgpuCounters()), "");
}

class ForumModuleTest : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::string text_ = ReadFile(absl::StrCat(FORUM_MODULES, std::get<0>(GetParam())));
  ProgramOptions options_{.passes = absl::StrCat("convert-memcpy-to-gpu,", std::get<1>(GetParam())),
                          .simt_kernels = true};
  Buffers no_arguments_;
};

TEST_P(ForumModuleTest, RunsOnTheSimtDevice) {
  auto device = CreateSimtDevice("", 1).value();
  RunMain(text_, options_, device.get(), &no_arguments_);
}

TEST_P(ForumModuleTest, RunsInAnyOrder) {
  ReorderingDevice device({}, Order::kLate, 1);
  RunMain(text_, options_, &device, &no_arguments_);
}

INSTANTIATE_TEST_SUITE_P(Modules, ForumModuleTest,
                         testing::Combine(testing::Values("alloc_dealloc.mlir", "two_dependencies.mlir",
                                                          "host_copy.mlir", "after_async_region.mlir",
                                                          "one_stream.mlir", "three_streams.mlir"),
                                          testing::Values(kLinearize, kAssign)));

/// A function @main(%h0, %h1, %h2: memref<8xi32>) with the test kernels beside it.
std::string Module(const std::string& body) {
  return absl::StrCat("module attributes {gpu.container_module} {", kTestKernelsText, R"(
  func.func @main(%h0: memref<8xi32>, %h1: memref<8xi32>, %h2: memref<8xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %true = arith.constant true
)",
                      body, "}\n}\n");
}

constexpr char kLaunch[] =
    "@kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) "
    "args(%d : memref<8xi32>, %e : memref<8xi32>)";

/// Copies h0 to d and h1 to e with tokens %td and %te; the loop or branch makes %t; d comes back in h2.
std::string WithTwoBuffers(const std::string& middle) {
  return Module(absl::StrCat(R"(
    %0 = gpu.wait async
    %d, %ad = gpu.alloc async [%0] () : memref<8xi32>
    %e, %ae = gpu.alloc async [%0] () : memref<8xi32>
    %td = gpu.memcpy async [%ad] %d, %h0 : memref<8xi32>, memref<8xi32>
    %te = gpu.memcpy async [%ae] %e, %h1 : memref<8xi32>, memref<8xi32>
)",
                             middle, R"(
    %out = gpu.memcpy async [%t] %h2, %d : memref<8xi32>, memref<8xi32>
    %fd = gpu.dealloc async [%out] %d : memref<8xi32>
    %fe = gpu.dealloc async [%out] %e : memref<8xi32>
    gpu.wait [%fd, %fe]
    return
)"));
}

/// `times` accumulations of h1 onto h0.
Buffers Accumulated(int times) {
  Buffers buffers = {{1, 2, 3, 4, 5, 6, 7, 8}, {10, 20, 30, 40, 50, 60, 70, 80}, {}};
  buffers[2] = buffers[0];
  for (int turn = 0; turn < times; ++turn) {
    for (int i = 0; i < 8; ++i) buffers[2][i] = 7 * buffers[2][i] + buffers[1][i];
  }
  return buffers;
}

struct TokenCase {
  const char* name;
  std::string middle;
  int accumulations;
};

std::vector<TokenCase> TokenCases() {
  const std::string launch = kLaunch;
  return {
      {"Join", absl::StrCat("%t = gpu.launch_func async [%td, %te] ", launch), 1},
      {"ForkAndJoin",
       absl::StrCat(R"(
    %f = gpu.alloc () : memref<8xi32>
    %j = gpu.wait async [%td, %te]
    %a = gpu.launch_func async [%j] )",
                    launch, R"(
    %b = gpu.memcpy async [%te] %f, %e : memref<8xi32>, memref<8xi32>
    %c = gpu.dealloc async [%b] %f : memref<8xi32>
    %t = gpu.wait async [%a, %c])"),
       1},
      {"Loop",
       absl::StrCat(R"(
    %j = gpu.wait async [%td, %te]
    %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%in = %j) -> (!gpu.async.token) {
      %x = gpu.launch_func async [%in] )",
                    launch, R"(
      scf.yield %x : !gpu.async.token
    })"),
       3},
      {"While",
       absl::StrCat(R"(
    %j = gpu.wait async [%td, %te]
    %w:2 = scf.while (%i = %c0, %in = %j) : (index, !gpu.async.token) -> (index, !gpu.async.token) {
      %more = arith.cmpi slt, %i, %c3 : index
      scf.condition(%more) %i, %in : index, !gpu.async.token
    } do {
    ^bb0(%i: index, %in: !gpu.async.token):
      %x = gpu.launch_func async [%in] )",
                    launch, R"(
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x : index, !gpu.async.token
    }
    %t = gpu.wait async [%w#1])"),
       3},
      {"Branch",
       absl::StrCat(R"(
    %t = scf.if %true -> (!gpu.async.token) {
      %x = gpu.launch_func async [%td, %te] )",
                    launch, R"(
      scf.yield %x : !gpu.async.token
    } else {
      scf.yield %td : !gpu.async.token
    })"),
       1},
      {"Select",
       absl::StrCat(R"(
    %x = gpu.launch_func async [%td, %te] )",
                    launch, R"(
    %t = arith.select %true, %x, %td : !gpu.async.token)"),
       1},
      {"Blocks",
       absl::StrCat(R"(
    cf.cond_br %true, ^first(%td, %te : !gpu.async.token, !gpu.async.token), ^last(%td : !gpu.async.token)
  ^first(%p: !gpu.async.token, %q: !gpu.async.token):
    %x = gpu.launch_func async [%p, %q] )",
                    launch, R"(
    cf.br ^second(%x : !gpu.async.token)
  ^second(%r: !gpu.async.token):
    %y = gpu.launch_func async [%r] )",
                    launch, R"(
    cf.br ^last(%y : !gpu.async.token)
  ^last(%t: !gpu.async.token):)"),
       2},
      {"BlocksInALoop",
       absl::StrCat(R"(
    %j = gpu.wait async [%td, %te]
    cf.br ^head(%c0, %j : index, !gpu.async.token)
  ^head(%i: index, %t: !gpu.async.token):
    %more = arith.cmpi slt, %i, %c3 : index
    cf.cond_br %more, ^body, ^last
  ^body:
    %x = gpu.launch_func async [%t] )",
                    launch, R"(
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next, %x : index, !gpu.async.token)
  ^last:)"),
       3},
      {"SynchronousWithTokens",
       absl::StrCat(R"(
    gpu.launch_func [%td, %te] )",
                    launch, R"(
    %t = gpu.wait async)"),
       1},
  };
}

class TokenTest : public testing::TestWithParam<std::tuple<TokenCase, const char*>> {
 protected:
  void Check(Device* device, bool simt) {
    const auto& [test, passes] = GetParam();
    Buffers arguments = Accumulated(0);
    arguments[2].assign(8, -1);
    RunMain(WithTwoBuffers(test.middle), {.passes = passes, .simt_kernels = simt}, device, &arguments);
    EXPECT_EQ(arguments, Accumulated(test.accumulations));
  }
};

TEST_P(TokenTest, RunsOnTheSimtDevice) {
  auto device = CreateSimtDevice("", 1).value();
  Check(device.get(), true);
}

TEST_P(TokenTest, RunsInAnyOrder) {
  for (uint32_t seed = 0; seed < 4; ++seed) {
    ReorderingDevice device(TestKernels(), seed == 0 ? Order::kLate : Order::kRandom, seed);
    Check(&device, false);
  }
}

INSTANTIATE_TEST_SUITE_P(Tokens, TokenTest,
                         testing::Combine(testing::ValuesIn(TokenCases()), testing::Values(kLinearize, kAssign)),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param).name,
                                               std::get<1>(info.param) == kAssign ? "_Assign" : "_Linearize");
                         });

constexpr char kSynchronous[] = R"(
    %d = gpu.alloc () : memref<8xi32>
    gpu.memcpy %d, %h0 : memref<8xi32>, memref<8xi32>
    %e = gpu.alloc () : memref<8xi32>
    gpu.memcpy %e, %h1 : memref<8xi32>, memref<8xi32>
    gpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%d : memref<8xi32>, %e : memref<8xi32>)
    gpu.memcpy %h2, %d : memref<8xi32>, memref<8xi32>
    gpu.dealloc %e : memref<8xi32>
    gpu.dealloc %d : memref<8xi32>
    return
)";

TEST(OverlapTest, IndependentTransfersAreInFlightTogetherAndTheHostWaitsOnce) {
  for (const auto& [passes, concurrent] : {std::pair{kAssign, 2}, std::pair{kLinearize, 1}}) {
    ReorderingDevice device(TestKernels(), Order::kLate, 0);
    Buffers arguments = Accumulated(0);
    RunMain(Module(kSynchronous), {.passes = passes}, &device, &arguments);
    EXPECT_EQ(arguments, Accumulated(1));
    EXPECT_EQ(device.most_concurrent(), concurrent) << passes;
    EXPECT_EQ(device.host_waits(), 1) << passes;
  }
}

TEST(MissingEventTest, TheKernelRunsTooEarly) {
  auto object = StreamProgram::Compile(Module(kSynchronous), {.passes = kAssign, .drop_event_waits = true});
  ASSERT_TRUE(object.ok()) << object.status();
  ReorderingDevice device(TestKernels(), Order::kLate, 0);
  SetMgpuDevice(&device);
  Buffers arguments = Accumulated(0);
  absl::Status status = StreamProgram::Load(*object).value()->Run("main", &arguments);
  SetMgpuDevice(nullptr);
  EXPECT_NE(arguments, Accumulated(1));
  // The transfer that nobody waits for is still to come when its buffer is freed.
  EXPECT_THAT(std::string(status.message()), HasSubstr("Free"));
}

// Two batches of a loop's body: the second's transfers do not wait for the first's kernel.
TEST(OverlapTest, BatchesOfOneTurnOverlap) {
  ReorderingDevice device(TestKernels(), Order::kLate, 0);
  std::string body = "scf.for %i = %c0 to %c3 step %c1 {\n";
  for (const char* batch : {"0", "1"}) {
    const std::string d = absl::StrCat("%d", batch);
    absl::StrAppend(&body, d, " = gpu.alloc () : memref<8xi32>\ngpu.memcpy ", d, ", %h", batch,
                    " : memref<8xi32>, memref<8xi32>\ngpu.launch_func @kernels::@accumulate blocks in (%c1, %c1, %c1) "
                    "threads in (%c8, %c1, %c1) args(",
                    d, " : memref<8xi32>, ", d, " : memref<8xi32>)\ngpu.memcpy %h", batch, ", ", d,
                    " : memref<8xi32>, memref<8xi32>\ngpu.dealloc ", d, " : memref<8xi32>\n");
  }
  Buffers arguments(3, std::vector<int32_t>(8, 1));
  RunMain(Module(absl::StrCat(body, "}\nreturn\n")), {.passes = "assign-gpu-streams{distinct-arguments=true}"}, &device,
          &arguments);
  EXPECT_EQ(arguments[0], std::vector<int32_t>(8, 512));
  EXPECT_EQ(arguments[1], std::vector<int32_t>(8, 512));
  EXPECT_EQ(device.most_concurrent(), 2);
}

TEST(ErrorTest, APassThatFailsSaysWhere) {
  auto object = StreamProgram::Compile("func.func @main(%t: !gpu.async.token) { return }", {.passes = kAssign});
  EXPECT_EQ(object.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(object.status().message()), HasSubstr("a token cannot be an argument"));
}

}  // namespace
}  // namespace mmtune
