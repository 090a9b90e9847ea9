// RUN: mmtune-opt %s --convert-conv-to-matmul --split-input-file --verify-diagnostics | FileCheck %s

// Channels first, one image: the filter is A, the copy of the input B.
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (0, d0, d3 * 2 + d1, d4 + d2 * 3)>
// CHECK-DAG: #[[COPY:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d1, d2)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>
// CHECK-DAG: #[[OUTPUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @channels_first
// CHECK-SAME: (%[[X:.*]]: tensor<1x5x11x14xf32>, %[[W:.*]]: tensor<7x5x3x2xf32>)
// CHECK: %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<7x5x11xf32>)
// CHECK: %[[MADE:.*]] = linalg.generic {indexing_maps = [#[[PLACE]], {{.*}} ins(%[[X]] : tensor<1x5x11x14xf32>) outs(%{{.*}} : tensor<5x3x2x5x11xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[COPY]], #[[FILTER]], #[[OUTPUT]]], {{.*}} ins(%[[MADE]], %[[W]] : {{.*}} outs(%[[FILL]] :
// CHECK: tensor.expand_shape %[[SUM]] {{\[\[}}0, 1], [2], [3]] output_shape [1, 7, 5, 11]
// CHECK-NOT: linalg.conv
func.func @channels_first(%x: tensor<1x5x11x14xf32>, %w: tensor<7x5x3x2xf32>) -> tensor<1x7x5x11xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x5x11xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x5x11xf32>) -> tensor<1x7x5x11xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 3]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x5x11x14xf32>, tensor<7x5x3x2xf32>) outs(%f : tensor<1x7x5x11xf32>) -> tensor<1x7x5x11xf32>
  return %r : tensor<1x7x5x11xf32>
}

// -----

// Several images: the matmul has the channels first, and is transposed.
// CHECK-LABEL: func.func @images
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<5x3x3x2x4x4xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x2x4x4xf32>)
// CHECK: linalg.transpose ins(%[[SUM]] : tensor<8x2x4x4xf32>) outs(%{{.*}} : tensor<2x8x4x4xf32>) permutation = [1, 0, 2, 3]
// CHECK: arith.addf
func.func @images(%x: tensor<2x5x6x6xf32>, %w: tensor<8x5x3x3xf32>, %c: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x6x6xf32>, tensor<8x5x3x3xf32>) outs(%c : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %r : tensor<2x8x4x4xf32>
}

// -----

// A number of images that is not known: they are rows, and channels are columns.
// CHECK-LABEL: func.func @unknown_images
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x4x4x5x3x3xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x4x4x8xf32>)
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
func.func @unknown_images(%x: tensor<?x5x6x6xf32>, %w: tensor<8x5x3x3xf32>, %c: tensor<?x8x4x4xf32>) -> tensor<?x8x4x4xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x5x6x6xf32>, tensor<8x5x3x3xf32>) outs(%c : tensor<?x8x4x4xf32>) -> tensor<?x8x4x4xf32>
  return %r : tensor<?x8x4x4xf32>
}

// -----

// One image by the input, of which the output does not know: nothing is left out.
// CHECK-LABEL: func.func @one_image
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x3x3x?x4x4xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x?x4x4xf32>)
// CHECK: linalg.transpose ins(%[[SUM]] : tensor<8x?x4x4xf32>) outs(%{{.*}} : tensor<?x8x4x4xf32>)
func.func @one_image(%x: tensor<1x4x6x6xf32>, %w: tensor<8x4x3x3xf32>, %c: tensor<?x8x4x4xf32>) -> tensor<?x8x4x4xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%c : tensor<?x8x4x4xf32>) -> tensor<?x8x4x4xf32>
  return %r : tensor<?x8x4x4xf32>
}

// -----

// Nor of its channels.
// CHECK-LABEL: func.func @unknown_output
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?x4x4xf32>)
// CHECK: linalg.transpose ins(%[[SUM]] : tensor<?x?x4x4xf32>) {{.*}} permutation = [1, 0, 2, 3]
func.func @unknown_output(%x: tensor<1x4x6x6xf32>, %w: tensor<8x4x3x3xf32>, %c: tensor<?x?x4x4xf32>) -> tensor<?x?x4x4xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%c : tensor<?x?x4x4xf32>) -> tensor<?x?x4x4xf32>
  return %r : tensor<?x?x4x4xf32>
}

// -----

// Nothing asks the old zeros for their sizes.
// CHECK-LABEL: func.func @dynamic_zeros
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: %[[OLD:.*]] = linalg.fill
// CHECK-NOT: %[[OLD]]
func.func @dynamic_zeros(%x: tensor<?x6x6x4xf32>, %w: tensor<3x3x4x8xf32>, %n: index) -> tensor<?x4x4x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x4x4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x6x6x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<?x4x4x8xf32>) -> tensor<?x4x4x8xf32>
  return %r : tensor<?x4x4x8xf32>
}

// -----

// 2^22 elements for each image are copied, not one more pixel.
// CHECK-LABEL: func.func @large_images
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x1048576x2x2xf32>)
// CHECK: linalg.conv_1d
func.func @large_images(%x: tensor<?x1048577x2xf32>, %w: tensor<2x2x2xf32>, %c: tensor<?x1048576x2xf32>, %y: tensor<?x1048578x2xf32>, %d: tensor<?x1048577x2xf32>) -> (tensor<?x1048576x2xf32>, tensor<?x1048577x2xf32>) {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<?x1048577x2xf32>, tensor<2x2x2xf32>) outs(%c : tensor<?x1048576x2xf32>) -> tensor<?x1048576x2xf32>
  // expected-remark @below {{the copy of its input would have more than 2^22 elements times the sizes that are known at run time only}}
  %1 = linalg.conv_1d_nwc_wcf ins(%y, %w : tensor<?x1048578x2xf32>, tensor<2x2x2xf32>) outs(%d : tensor<?x1048577x2xf32>) -> tensor<?x1048577x2xf32>
  return %0, %1 : tensor<?x1048576x2xf32>, tensor<?x1048577x2xf32>
}

// -----

#image = affine_map<(n, o, f, k, c) -> (n, o + k, c)>
#filter = affine_map<(n, o, f, k, c) -> (k, c, f)>
#output = affine_map<(n, o, f, k, c) -> (n, o, f)>
// CHECK-LABEL: func.func @other_bodies
// CHECK: linalg.index 4
// CHECK: linalg.conv_2d
func.func @other_bodies(%x: tensor<2x6x4xf32>, %w: tensor<1x4x8xf32>, %c: tensor<2x6x8xf32>, %y: tensor<8x8xf32>, %v: tensor<3x3xf32>, %d: tensor<6x6xf32>) -> (tensor<2x6x8xf32>, tensor<6x6xf32>) {
  // expected-remark @below {{its body uses loop indices (linalg.index)}}
  %0 = linalg.generic {indexing_maps = [#image, #filter, #output], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x6x4xf32>, tensor<1x4x8xf32>) outs(%c : tensor<2x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %unused = linalg.index 4 : index
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x6x8xf32>
  // expected-remark @below {{it has no channels of output that share an input}}
  %1 = linalg.conv_2d ins(%y, %v : tensor<8x8xf32>, tensor<3x3xf32>) outs(%d : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %0, %1 : tensor<2x6x8xf32>, tensor<6x6xf32>
}

// -----

// No copy for a filter of one element. 16-bit accumulators start from what the output held.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME: (%[[X:.*]]: tensor<2x6x7x9xf16>, %[[W:.*]]: tensor<1x1x9x11xf16>, %[[C:.*]]: tensor<2x6x7x11xf16>)
// CHECK: %[[ONE:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1, 2], [3]] : tensor<1x1x9x11xf16> into tensor<9x11xf16>
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[ONE]] : {{.*}} outs(%[[C]] :
// CHECK: return %[[SUM]]
func.func @pointwise(%x: tensor<2x6x7x9xf16>, %w: tensor<1x1x9x11xf16>, %c: tensor<2x6x7x11xf16>) -> tensor<2x6x7x11xf16> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x6x7x9xf16>, tensor<1x1x9x11xf16>) outs(%c : tensor<2x6x7x11xf16>) -> tensor<2x6x7x11xf16>
  return %r : tensor<2x6x7x11xf16>
}

// -----

// CHECK-LABEL: func.func @not_in_a_kernel
// CHECK: linalg.conv_2d
func.func @not_in_a_kernel(%x: memref<1x6x6x4xf32>, %w: memref<3x3x4x8xf32>, %c: memref<1x4x4x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x6x6x4xf32>, memref<3x3x4x8xf32>) outs(%c : memref<1x4x4x8xf32>)
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-5: linalg.{{(depthwise_)?}}conv_{{[12]}}d
// CHECK: linalg.pooling_nhwc_sum
func.func @stay(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4xf32>, %c: tensor<1x4x4x4xf32>, %k: tensor<?x3x4x4xf32>, %q: tensor<1x6x6x4xi8>, %qk: tensor<3x3x4x5xi8>, %a: tensor<1x4x4x5xi32>, %i: tensor<1x6x6x4xi32>, %ik: tensor<3x3x4x5xi32>, %big: tensor<1x536870912x2xf32>, %bk: tensor<2x2x2xf32>, %bo: tensor<1x536870911x2xf32>, %window: tensor<3x3xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x5xi32>, tensor<1x4x4x5xi32>, tensor<1x536870911x2xf32>, tensor<1x4x4x4xf32>) {
  %zp = arith.constant 1 : i32
  // expected-remark @below {{the convolution is not scheduled as a matmul: each of its channels has a filter of its own; map-linalg-to-gpu gives it one thread for each element}}
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3x4xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  // expected-remark @below {{its channels or its filter have sizes that are known at run time only}}
  %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x6x6x4xf32>, tensor<?x3x4x4xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  // expected-remark @below {{it subtracts zero points, which no kernel does}}
  %2 = linalg.conv_2d_nhwc_hwcf_q ins(%q, %qk, %zp, %zp : tensor<1x6x6x4xi8>, tensor<3x3x4x5xi8>, i32, i32) outs(%a : tensor<1x4x4x5xi32>) -> tensor<1x4x4x5xi32>
  // expected-remark @below {{no kernel multiplies i32}}
  %3 = linalg.conv_2d_nhwc_hwcf ins(%i, %ik : tensor<1x6x6x4xi32>, tensor<3x3x4x5xi32>) outs(%a : tensor<1x4x4x5xi32>) -> tensor<1x4x4x5xi32>
  // expected-remark @below {{the copy of its input would have more than 2^28 elements}}
  %4 = linalg.conv_1d_nwc_wcf ins(%big, %bk : tensor<1x536870912x2xf32>, tensor<2x2x2xf32>) outs(%bo : tensor<1x536870911x2xf32>) -> tensor<1x536870911x2xf32>
  %5 = linalg.pooling_nhwc_sum ins(%x, %window : tensor<1x6x6x4xf32>, tensor<3x3xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x5xi32>, tensor<1x4x4x5xi32>, tensor<1x536870911x2xf32>, tensor<1x4x4x4xf32>
}

// -----

// A batch that is summed is a matmul of a copy of A, but not where A is stored by k or no copy makes one.
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-DAG: #[[COPY:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-LABEL: func.func @summed_batch
// CHECK-SAME: (%[[A:.*]]: tensor<3x26x8xf32>,
// CHECK: %[[MADE:.*]] = linalg.generic {indexing_maps = [#[[PLACE]], {{.*}} ins(%[[A]] : tensor<3x26x8xf32>) outs(%{{.*}} : tensor<26x3x8xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[COPY]], {{.*}} ins(%[[MADE]],
// CHECK: linalg.contract
// CHECK: linalg.batch_reduce_matmul
// CHECK: linalg.contract
// CHECK-NOT: linalg.generic
#m = affine_map<(b, m, n, k) -> (b, k, m)>
#n = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (m, n)>
func.func @summed_batch(%a: tensor<3x26x8xf32>, %b: tensor<3x8x19xf32>, %c: tensor<26x19xf32>, %t: tensor<3x8x26xf32>, %x: tensor<?x26x?xf32>, %y: tensor<?x?x19xf32>, %v: tensor<3x8x?xf32>, %d: tensor<?x19xf32>) -> (tensor<26x19xf32>, tensor<26x19xf32>, tensor<26x19xf32>, tensor<?x19xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<26x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<26x19xf32>) -> tensor<26x19xf32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x26x8xf32>, tensor<3x8x19xf32>) outs(%f : tensor<26x19xf32>) -> tensor<26x19xf32>
  %s = linalg.contract indexing_maps = [#m, #n, #c] ins(%t, %b : tensor<3x8x26xf32>, tensor<3x8x19xf32>) outs(%c : tensor<26x19xf32>) -> tensor<26x19xf32>
  %u = linalg.batch_reduce_matmul ins(%x, %y : tensor<?x26x?xf32>, tensor<?x?x19xf32>) outs(%c : tensor<26x19xf32>) -> tensor<26x19xf32>
  %w = linalg.contract indexing_maps = [#m, #n, #c] ins(%v, %b : tensor<3x8x?xf32>, tensor<3x8x19xf32>) outs(%d : tensor<?x19xf32>) -> tensor<?x19xf32>
  return %r, %s, %u, %w : tensor<26x19xf32>, tensor<26x19xf32>, tensor<26x19xf32>, tensor<?x19xf32>
}
