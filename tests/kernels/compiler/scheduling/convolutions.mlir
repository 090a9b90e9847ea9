// Convolutions: most are products of a family, what is not stays as it is.

func.func @padded(%x: tensor<1x4x9x8xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x9x8xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %z : f32
  } : tensor<1x4x9x8xf32> to tensor<1x4x11x10xf32>
  %e = tensor.empty() : tensor<1x6x9x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x9x8xf32>) -> tensor<1x6x9x8xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<1x4x11x10xf32>, tensor<6x4x3x3xf32>) outs(%f : tensor<1x6x9x8xf32>) -> tensor<1x6x9x8xf32>
  return %r : tensor<1x6x9x8xf32>
}

// Several images, a stride and a dilation of each dimension, more input than is read.
func.func @images(%x: tensor<3x5x12x14xf32>, %w: tensor<7x5x3x2xf32>) -> tensor<3x7x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x4x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7x4x5xf32>) -> tensor<3x7x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 3]> : vector<2xi64>, strides = dense<[3, 2]> : vector<2xi64>} ins(%x, %w : tensor<3x5x12x14xf32>, tensor<7x5x3x2xf32>) outs(%f : tensor<3x7x4x5xf32>) -> tensor<3x7x4x5xf32>
  return %r : tensor<3x7x4x5xf32>
}

// What the output held; it and the result are both read later.
func.func @adds(%x: tensor<2x5x6x6xf32>, %w: tensor<8x5x3x3xf32>, %c: tensor<2x8x4x4xf32>) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x6x6xf32>, tensor<8x5x3x3xf32>) outs(%c : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %e = tensor.empty() : tensor<2x8x4x4xf32>
  %s = linalg.sub ins(%r, %c : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) outs(%e : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  return %r, %s : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>
}

#id = affine_map<(n, h, w, f) -> (n, h, w, f)>
#last = affine_map<(n, h, w, f) -> (f)>
// As jax and TOSA write it: channels last, and a bias that the sums start from.
func.func @bias_relu(%x: tensor<2x8x9x3xf32>, %w: tensor<3x3x3x10xf32>, %b: tensor<10xf32>) -> tensor<2x6x7x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x7x10xf32>
  %i = linalg.broadcast ins(%b : tensor<10xf32>) outs(%e : tensor<2x6x7x10xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x8x9x3xf32>, tensor<3x3x3x10xf32>) outs(%i : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<2x6x7x10xf32>) outs(%e : tensor<2x6x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %z : f32
    linalg.yield %m : f32
  } -> tensor<2x6x7x10xf32>
  return %a : tensor<2x6x7x10xf32>
}

// One element of a filter: no copy.
func.func @pointwise(%x: tensor<2x6x7x9xf32>, %w: tensor<1x1x9x11xf32>, %c: tensor<2x6x7x11xf32>) -> tensor<2x6x7x11xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x6x7x9xf32>, tensor<1x1x9x11xf32>) outs(%c : tensor<2x6x7x11xf32>) -> tensor<2x6x7x11xf32>
  return %r : tensor<2x6x7x11xf32>
}

func.func @pointwise_channels_first(%x: tensor<1x9x6x7xf32>, %w: tensor<12x9x1x1xf32>) -> tensor<1x12x6x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x12x6x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x12x6x7xf32>) -> tensor<1x12x6x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x9x6x7xf32>, tensor<12x9x1x1xf32>) outs(%f : tensor<1x12x6x7xf32>) -> tensor<1x12x6x7xf32>
  return %r : tensor<1x12x6x7xf32>
}

// A part of the input: a copy. Its sizes are known at run time only, or not what the output's are.
func.func @pointwise_part(%x: tensor<1x9x8x7xf32>, %w: tensor<13x9x1x1xf32>, %y: tensor<?x?x4xf32>, %v: tensor<1x4x15xf32>) -> (tensor<1x13x6x6xf32>, tensor<?x?x15xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x13x6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x13x6x6xf32>) -> tensor<1x13x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x9x8x7xf32>, tensor<13x9x1x1xf32>) outs(%f : tensor<1x13x6x6xf32>) -> tensor<1x13x6x6xf32>
  %n = tensor.dim %y, %c0 : tensor<?x?x4xf32>
  %half = arith.divui %n, %c2 : index
  %d = tensor.empty(%n, %half) : tensor<?x?x15xf32>
  %g = linalg.fill ins(%z : f32) outs(%d : tensor<?x?x15xf32>) -> tensor<?x?x15xf32>
  %s = linalg.conv_1d_nwc_wcf ins(%y, %v : tensor<?x?x4xf32>, tensor<1x4x15xf32>) outs(%g : tensor<?x?x15xf32>) -> tensor<?x?x15xf32>
  return %r, %s : tensor<1x13x6x6xf32>, tensor<?x?x15xf32>
}

// Some of the pixels, and all but the last rows: a copy.
func.func @pointwise_strided(%x: tensor<1x7x7x9xf32>, %w: tensor<1x1x9x13xf32>) -> tensor<1x4x4x13xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x13xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x13xf32>) -> tensor<1x4x4x13xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x7x7x9xf32>, tensor<1x1x9x13xf32>) outs(%f : tensor<1x4x4x13xf32>) -> tensor<1x4x4x13xf32>
  return %r : tensor<1x4x4x13xf32>
}

func.func @dynamic_images(%x: tensor<?x6x6x4xf32>, %w: tensor<3x3x4x14xf32>, %c: tensor<?x4x4x14xf32>) -> tensor<?x4x4x14xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x6x6x4xf32>, tensor<3x3x4x14xf32>) outs(%c : tensor<?x4x4x14xf32>) -> tensor<?x4x4x14xf32>
  return %r : tensor<?x4x4x14xf32>
}

func.func @dynamic_images_channels_first(%x: tensor<?x4x6x6xf32>, %w: tensor<15x4x3x3xf32>, %c: tensor<?x15x4x4xf32>) -> tensor<?x15x4x4xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x4x6x6xf32>, tensor<15x4x3x3xf32>) outs(%c : tensor<?x15x4x4xf32>) -> tensor<?x15x4x4xf32>
  return %r : tensor<?x15x4x4xf32>
}

func.func @dynamic_pixels(%x: tensor<1x4x?x?xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<1x16x?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = tensor.dim %x, %c2 : tensor<1x4x?x?xf32>
  %v = tensor.dim %x, %c3 : tensor<1x4x?x?xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<1x4x?x?xf32> to tensor<1x4x?x?xf32>
  %e = tensor.empty(%h, %v) : tensor<1x16x?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x4x?x?xf32>, tensor<16x4x3x3xf32>) outs(%f : tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  return %r : tensor<1x16x?x?xf32>
}

func.func @dynamic_zeros(%x: tensor<?x6x6x4xf32>, %w: tensor<3x3x4x24xf32>) -> tensor<?x4x4x24xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x6x4xf32>
  %e = tensor.empty(%n) : tensor<?x4x4x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4x4x24xf32>) -> tensor<?x4x4x24xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x6x6x4xf32>, tensor<3x3x4x24xf32>) outs(%f : tensor<?x4x4x24xf32>) -> tensor<?x4x4x24xf32>
  return %r : tensor<?x4x4x24xf32>
}

func.func @dynamic_zeros_channels_first(%x: tensor<?x4x6x6xf32>, %w: tensor<25x4x3x3xf32>) -> tensor<?x25x4x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4x6x6xf32>
  %e = tensor.empty(%n) : tensor<?x25x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x25x4x4xf32>) -> tensor<?x25x4x4xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x4x6x6xf32>, tensor<25x4x3x3xf32>) outs(%f : tensor<?x25x4x4xf32>) -> tensor<?x25x4x4xf32>
  return %r : tensor<?x25x4x4xf32>
}

// What is behind the padding and costs something is computed once for each element of the input.
func.func @computed_padding(%x: tensor<1x4x8x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %z : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %e = tensor.empty() : tensor<1x4x10x10xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x4x10x10xf32>) outs(%e : tensor<1x4x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %half = arith.divf %in, %two : f32
    %rest = arith.remf %half, %two : f32
    linalg.yield %rest : f32
  } -> tensor<1x4x10x10xf32>
  %d = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%d : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %w : tensor<1x4x10x10xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

func.func @groups(%x: tensor<1x3x4x6x6xf32>, %w: tensor<3x5x4x3x3xf32>, %y: tensor<2x3x4x6x6xf32>) -> (tensor<1x3x5x4x4xf32>, tensor<2x3x5x4x4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x5x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x5x4x4xf32>) -> tensor<1x3x5x4x4xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x3x4x6x6xf32>, tensor<3x5x4x3x3xf32>) outs(%f : tensor<1x3x5x4x4xf32>) -> tensor<1x3x5x4x4xf32>
  %e2 = tensor.empty() : tensor<2x3x5x4x4xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<2x3x5x4x4xf32>) -> tensor<2x3x5x4x4xf32>
  %r2 = linalg.conv_2d_ngchw_gfchw ins(%y, %w : tensor<2x3x4x6x6xf32>, tensor<3x5x4x3x3xf32>) outs(%f2 : tensor<2x3x5x4x4xf32>) -> tensor<2x3x5x4x4xf32>
  return %r, %r2 : tensor<1x3x5x4x4xf32>, tensor<2x3x5x4x4xf32>
}

// Odd sums above 2048, which f16 does not hold on the way.
func.func @large_sums(%x: tensor<2x4x6x6xf16>, %w: tensor<23x4x3x3xf16>) -> tensor<2x23x4x4xf16> {
  %large = arith.constant 2048.0 : f16
  %e = tensor.empty() : tensor<2x23x4x4xf16>
  %f = linalg.fill ins(%large : f16) outs(%e : tensor<2x23x4x4xf16>) -> tensor<2x23x4x4xf16>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x6x6xf16>, tensor<23x4x3x3xf16>) outs(%f : tensor<2x23x4x4xf16>) -> tensor<2x23x4x4xf16>
  return %r : tensor<2x23x4x4xf16>
}

func.func @narrow_sums(%x: tensor<2x4x6x6xf16>, %w: tensor<17x4x3x3xf16>, %c: tensor<2x17x4x4xf16>) -> tensor<2x17x4x4xf16> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x6x6xf16>, tensor<17x4x3x3xf16>) outs(%c : tensor<2x17x4x4xf16>) -> tensor<2x17x4x4xf16>
  return %r : tensor<2x17x4x4xf16>
}

func.func @wide_sums(%x: tensor<1x4x6x6xbf16>, %w: tensor<18x4x3x3xbf16>) -> tensor<1x18x4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x18x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x18x4x4xf32>) -> tensor<1x18x4x4xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x6x6xbf16>, tensor<18x4x3x3xbf16>) outs(%f : tensor<1x18x4x4xf32>) -> tensor<1x18x4x4xf32>
  return %r : tensor<1x18x4x4xf32>
}

func.func @bytes(%x: tensor<2x6x6x4xi8>, %w: tensor<3x3x4x19xi8>) -> tensor<2x4x4x19xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x4x4x19xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x4x4x19xi32>) -> tensor<2x4x4x19xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x6x6x4xi8>, tensor<3x3x4x19xi8>) outs(%f : tensor<2x4x4x19xi32>) -> tensor<2x4x4x19xi32>
  return %r : tensor<2x4x4x19xi32>
}

func.func @other_ranks(%x: tensor<2x9x5xf64>, %w: tensor<3x5x20xf64>, %c: tensor<2x7x20xf64>, %y: tensor<1x4x5x6x2xf32>, %v: tensor<2x2x2x2x21xf32>, %d: tensor<1x3x4x5x21xf32>) -> (tensor<2x7x20xf64>, tensor<1x3x4x5x21xf32>) {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x9x5xf64>, tensor<3x5x20xf64>) outs(%c : tensor<2x7x20xf64>) -> tensor<2x7x20xf64>
  %s = linalg.conv_3d_ndhwc_dhwcf ins(%y, %v : tensor<1x4x5x6x2xf32>, tensor<2x2x2x2x21xf32>) outs(%d : tensor<1x3x4x5x21xf32>) -> tensor<1x3x4x5x21xf32>
  return %r, %s : tensor<2x7x20xf64>, tensor<1x3x4x5x21xf32>
}

// What makes the input is not computed again for each element that reads it; in a loop.
func.func @in_a_loop(%x: tensor<1x6x8x8xf32>, %w: tensor<6x6x3x3xf32>) -> tensor<1x6x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant -1.0 : f32
  %high = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> (tensor<1x6x8x8xf32>) {
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x6x8x8xf32>) outs(%e : tensor<1x6x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %l = arith.maximumf %in, %low : f32
      %h = arith.minimumf %l, %high : f32
      linalg.yield %h : f32
    } -> tensor<1x6x8x8xf32>
    %p = tensor.pad %m low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%n: index, %c: index, %h: index, %v: index):
      tensor.yield %z : f32
    } : tensor<1x6x8x8xf32> to tensor<1x6x10x10xf32>
    %s = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x6x10x10xf32>, tensor<6x6x3x3xf32>) outs(%f : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
    scf.yield %s : tensor<1x6x8x8xf32>
  }
  return %r : tensor<1x6x8x8xf32>
}

// Sums of 16 bits that would round at each step: with numbers this large they are seen.
func.func @narrow_depthwise(%x: tensor<1x6x6x4xf16>, %w: tensor<3x3x4xf16>) -> tensor<1x4x4x4xf16> {
  %large = arith.constant 2048.0 : f16
  %e = tensor.empty() : tensor<1x4x4x4xf16>
  %f = linalg.fill ins(%large : f16) outs(%e : tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x4xf16>, tensor<3x3x4xf16>) outs(%f : tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16>
  return %r : tensor<1x4x4x4xf16>
}

// These are no products of kernels.
func.func @plain(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4xf32>, %c: tensor<1x4x4x4xf32>, %y: tensor<8x8xf32>, %v: tensor<3x3xf32>, %d: tensor<6x6xf32>, %q: tensor<1x6x6x4xi8>, %k: tensor<3x3x4x5xi8>, %a: tensor<1x4x4x5xi32>) -> (tensor<1x4x4x4xf32>, tensor<6x6xf32>, tensor<1x4x4x5xi32>) {
  %one = arith.constant 1 : i32
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3x4xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %s = linalg.conv_2d ins(%y, %v : tensor<8x8xf32>, tensor<3x3xf32>) outs(%d : tensor<6x6xf32>) -> tensor<6x6xf32>
  %t = linalg.conv_2d_nhwc_hwcf_q ins(%q, %k, %one, %one : tensor<1x6x6x4xi8>, tensor<3x3x4x5xi8>, i32, i32) outs(%a : tensor<1x4x4x5xi32>) -> tensor<1x4x4x5xi32>
  return %r, %s, %t : tensor<1x4x4x4xf32>, tensor<6x6xf32>, tensor<1x4x4x5xi32>
}

func.func @on_buffers(%x: memref<1x4x6x6xf32>, %w: memref<22x4x3x3xf32>, %c: memref<1x22x4x4xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x6x6xf32>, memref<22x4x3x3xf32>) outs(%c : memref<1x22x4x4xf32>)
  return
}

// A batch that is summed: a copy of A has all of it in each row. The second adds to what the output held, in batches.
func.func @batch_reduce(%a: tensor<3x26x8xf32>, %b: tensor<3x8x19xf32>) -> tensor<26x19xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<26x19xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<26x19xf32>) -> tensor<26x19xf32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x26x8xf32>, tensor<3x8x19xf32>) outs(%f : tensor<26x19xf32>) -> tensor<26x19xf32>
  return %r : tensor<26x19xf32>
}
#reduced_a = affine_map<(h, b, m, n, k) -> (h, b, m, k)>
#reduced_b = affine_map<(h, b, m, n, k) -> (b, k, h, n)>
#reduced_c = affine_map<(h, b, m, n, k) -> (h, m, n)>
func.func @batch_reduce_of_many(%a: tensor<3x26x8xbf16>, %b: tensor<3x8x20xbf16>, %c: tensor<26x20xf32>, %x: tensor<3x?x8xf32>, %y: tensor<3x8x21xf32>, %d: tensor<?x21xf32>, %u: tensor<2x3x5x8xf32>, %v: tensor<3x8x2x6xf32>, %w: tensor<2x5x6xf32>) -> (tensor<26x20xf32>, tensor<?x21xf32>, tensor<2x5x6xf32>) {
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x26x8xbf16>, tensor<3x8x20xbf16>) outs(%c : tensor<26x20xf32>) -> tensor<26x20xf32>
  %s = linalg.batch_reduce_matmul ins(%x, %y : tensor<3x?x8xf32>, tensor<3x8x21xf32>) outs(%d : tensor<?x21xf32>) -> tensor<?x21xf32>
  %t = linalg.contract indexing_maps = [#reduced_a, #reduced_b, #reduced_c] ins(%u, %v : tensor<2x3x5x8xf32>, tensor<3x8x2x6xf32>) outs(%w : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %r, %s, %t : tensor<26x20xf32>, tensor<?x21xf32>, tensor<2x5x6xf32>
}
