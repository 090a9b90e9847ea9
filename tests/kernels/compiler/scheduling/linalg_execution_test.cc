// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls, what only looks like one, and mapped operations.
#include "tests/kernels/compiler/scheduling/linalg_execution.h"

namespace mmtune {
namespace {

TEST_F(LinalgExecutionTest, MatmulsOnTensorsWithASpec) {
  Load("tensors.mlir", Spec());
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(),
            (Strings{{"50x96x64 epilogue=bias,relu", "spec"}, {"50x40x96", "nearest"}, {"33x65x17", "nearest"}}));
}

TEST_F(LinalgExecutionTest, MatmulsOnBuffersWithASpec) {
  Load("matmuls.mlir", Spec());
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  EXPECT_EQ(Sources(), (Strings{{"33x65x17", "nearest"},
                                {"33x65x17 transpose_a epilogue=add", "nearest"},
                                {"33x65x17 transpose_b", "nearest"},
                                {"20x24x16 batch=3 transpose_b epilogue=scale:0.25", "default"},
                                {"9x10x12 batch=4", "default"},
                                {"36x10x12", "default"},
                                {"20x24x16 epilogue=add", "default"},
                                {"7x6x5 f64 epilogue=add", "default"},
                                {"50x96x64 epilogue=add,scale:0.5,bias,relu", "nearest"}}));
}

TEST_F(LinalgExecutionTest, MatmulsOf16Bits) {
  Load("narrow.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  EXPECT_EQ(Sources(), (Strings{{"50x96x64 bf16 epilogue=bias,relu", "default"},
                                {"50x40x96 bf16", "default"},
                                {"19x9x33 f16", "default"},
                                {"21x25x16 f16 batch=3 transpose_b", "default"},
                                {"20x23x17 bf16 epilogue=add", "default"}}));
}

TEST_F(LinalgExecutionTest, MatmulsOfI8AndF64) {
  Load("wide.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(), (Strings{{"50x96x64 s8", "default"},
                                {"33x19x70 s8 transpose_a transpose_b", "default"},
                                {"20x40x48 s8", "default"},
                                {"50x96x64 f64 epilogue=bias,relu", "default"}}));
}

TEST_F(LinalgExecutionTest, MatmulsOnBuffersWithDefaultSchedules) {
  Load("matmuls.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  for (const auto& [problem, source] : Sources()) EXPECT_EQ(source, "default") << problem;
}

TEST_F(LinalgExecutionTest, LookalikesOfMatmulsAndEpiloguesAreRight) {
  Load("lookalikes.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(), (Strings{{"32x48x16", "default"}}));
}

// The reference is bufferized alike, so arguments are compared with themselves.
TEST_F(LinalgExecutionTest, TensorsOfTheCallerStayWhatTheyAre) {
  Load("tensor_arguments.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  for (const Program* program : {&tested_, &reference_}) {
    ASSERT_NE(program->runner, nullptr);
    for (const ModelFunction& function : program->model.functions) {
      const std::vector<ModelValue> arguments = Arguments(function, 0);
      std::vector<ModelValue> afterwards = arguments;
      ASSERT_TRUE(program->runner->Run(function, &afterwards).ok());
      ExpectEqual(afterwards, arguments, function.name + ", argument ");
    }
  }
}

TEST_F(LinalgExecutionTest, ActivationsAsExportersWriteThem) {
  Load("activations.mlir");
  // torch-mlir's factor of gelu_tanh is 2e-4 away from sqrt(2/pi).
  ExpectNearResults(6e-5f);
  EXPECT_EQ(Sources(), (Strings{{"20x24x16 epilogue=scale:0.0625,gelu", "default"},
                                {"21x24x16 epilogue=scale:0.0625,gelu", "default"},
                                {"22x24x16 epilogue=scale:0.0625,gelu_tanh", "default"},
                                {"23x24x16 epilogue=scale:0.0625,gelu_tanh", "default"},
                                {"24x24x16 epilogue=scale:0.0625,silu", "default"},
                                {"25x24x16 epilogue=scale:0.0625,silu", "default"},
                                {"26x24x16 epilogue=scale:0.0625,clamp:-1:6", "default"},
                                {"27x24x16 epilogue=scale:0.0625,clamp:0:6", "default"},
                                {"28x24x16 epilogue=scale:0.0625,clamp:-1:6", "default"},
                                {"29x24x16 epilogue=scale:0.0625", "default"},
                                {"30x24x16 epilogue=scale:0.0625,sub,tanh", "default"},
                                {"31x24x16 epilogue=scale:-1,add", "default"}}));
}

TEST_F(LinalgExecutionTest, WhatExportersWriteTakesFewLaunches) {
  Load("exported.mlir");
  ExpectNearResults(1e-6f);
  EXPECT_EQ(Sources(), (Strings{{"64x64x64 epilogue=bias,relu", "default"},
                                {"33x17x20 transpose_b", "default"},
                                {"40x24x16 transpose_b epilogue=scale:0.0625,silu", "default"},
                                {"40x24x16 epilogue=bias,add", "default"},
                                {"8x24x16 transpose_b epilogue=bias", "default"},
                                {"8x24x12 transpose_b epilogue=bias,add", "default"}}));
  EXPECT_EQ(Launches(), (std::map<std::string, uint64_t>{{"shared_fill_mlp", 3},
                                                         {"transposed_weight", 1},
                                                         {"silu_of_torch", 1},
                                                         {"through_f64", 1},
                                                         {"residual", 2},
                                                         {"gate", 2},
                                                         {"mean_of_squares", 1}}));
}

TEST_F(LinalgExecutionTest, Convolutions) {
  Load("convolutions.mlir");
  for (int64_t dynamic : {1, 7, 0}) ExpectEqualResults(dynamic);
  EXPECT_EQ(Sources(), (Strings{{"6x72x36", "default"},
                                {"7x60x30", "default"},
                                {"8x32x45", "default"},
                                {"84x10x27 epilogue=bias,relu", "default"},
                                {"84x11x9 epilogue=add", "default"},
                                {"12x42x9", "default"},
                                {"13x36x9", "default"},
                                {"?x15x4", "default"},
                                {"16x13x9", "default"},
                                {"?x14x36 epilogue=add", "default"},
                                {"?x15x36 transpose_b", "default"},
                                {"?x16x36 transpose_b", "default"},
                                {"?x24x36", "default"},
                                {"?x25x36 transpose_b", "default"},
                                {"8x64x36", "default"},
                                {"5x16x36 batch=3", "default"},
                                {"5x32x36 batch=3", "default"},
                                {"17x32x36 f16 epilogue=add", "default"},
                                {"23x32x36 f16 epilogue=add", "default"},
                                {"18x16x36 bf16 out=f32", "default"},
                                {"32x19x36 s8", "default"},
                                {"14x20x15 f64 epilogue=add", "default"},
                                {"60x21x16 epilogue=add", "default"},
                                {"6x64x54", "default"},
                                {"26x19x24", "default"},
                                {"26x20x24 bf16 out=f32 epilogue=add", "default"},
                                {"?x21x24 epilogue=add", "default"},
                                {"5x6x24 batch=2 epilogue=add lda=24 ldb=12 ldc=6 matrices=2 stride_a=120 stride_b=6 "
                                 "stride_c=30",
                                 "default"}}));
  // The padding is part of the copy; what is elementwise before it is not.
  std::map<std::string, uint64_t> launches = Launches(/*dynamic=*/7);
  EXPECT_EQ(launches["padded"], 2u);
  EXPECT_EQ(launches["bias_relu"], 2u);
  EXPECT_EQ(launches["pointwise"], 1u);
  EXPECT_EQ(launches["pointwise_channels_first"], 1u);
  EXPECT_EQ(launches["in_a_loop"], 6u);
  EXPECT_EQ(launches["batch_reduce"], 2u);
  EXPECT_EQ(launches["computed_padding"], 3u);
  // Zeros of dynamic size are not filled in. A padding of dynamic size is two launches before the copy.
  EXPECT_EQ(launches["dynamic_zeros"], 2u);
  EXPECT_EQ(launches["dynamic_zeros_channels_first"], 3u);
  EXPECT_EQ(launches["dynamic_pixels"], 5u);
}

TEST_F(LinalgExecutionTest, MappedOperations) {
  Load("mapped.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  ExpectEqualResults(/*dynamic=*/0);
}

}  // namespace
}  // namespace mmtune
