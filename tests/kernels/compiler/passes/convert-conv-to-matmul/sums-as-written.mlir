// RUN: mmtune-opt %s --convert-conv-to-matmul=sums-as-written --verify-diagnostics | FileCheck %s

// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @sums_of_16_bits(%x: tensor<2x6x6x4xf16>, %w: tensor<3x3x4x8xf16>, %c: tensor<2x4x4x8xf16>) -> tensor<2x4x4x8xf16> {
  // expected-remark @below {{it accumulates in f16, rounding at each step}}
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x6x6x4xf16>, tensor<3x3x4x8xf16>) outs(%c : tensor<2x4x4x8xf16>) -> tensor<2x4x4x8xf16>
  return %r : tensor<2x4x4x8xf16>
}
