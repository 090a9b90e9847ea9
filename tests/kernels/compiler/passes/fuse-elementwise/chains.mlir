// RUN: mmtune-opt %s --fuse-elementwise --split-input-file | FileCheck %s

// As jax writes silu: one operation of six, and the broadcasts of the bias and of 1.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#scalar = affine_map<(m, n) -> ()>
// CHECK-LABEL: func.func @silu_of_jax
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<8x16xf32>, tensor<16xf32>)
// CHECK: addf
// CHECK: negf
// CHECK: math.exp
// CHECK: addf
// CHECK: divf
// CHECK: mulf
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @silu_of_jax(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %bias: tensor<16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %ones = arith.constant dense<1.0> : tensor<f32>
  %e = tensor.empty() : tensor<8x16xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  %wide = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<8x16xf32>) dimensions = [0]
  %x = linalg.add ins(%p, %wide : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %n = linalg.negf ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %p1 = linalg.exp ins(%n : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %one = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]} ins(%ones : tensor<f32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %s = linalg.add ins(%one, %p1 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.div ins(%one, %s : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.mul ins(%x, %q : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// What two read, or another block, is computed once. What only writes another's place is no reader.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[X]]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%[[X]]
// CHECK: negf
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: math.tanh
// CHECK: scf.for
// CHECK: linalg.generic {{.*}}%[[Y]]
func.func @two_readers(%a: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.sqrt ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.tanh ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%z = %a) -> tensor<8xf32> {
    %s = linalg.add ins(%y, %z : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A reduction computes what it reads, if that is little work; not a function of each element, which more threads do.
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @sums
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: mulf
// CHECK-NEXT: addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @sums(%a: tensor<8x16xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %x = linalg.mul ins(%a, %a : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %y = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x16xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Products stay what they are, named or not, and so does what extends or turns their operands.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @products
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: maximumf
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: extf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[WIDE]], %[[WIDE]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: mulf
// CHECK-NEXT: addf
func.func @products(%x: tensor<8x8xf16>, %out: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf16>
  %e = tensor.empty() : tensor<8x8xf16>
  %w = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.max ins(%x, %zero : tensor<8x8xf16>, tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf16>) outs(%w : tensor<8x8xf32>) {
  ^bb0(%in: f16, %o: f32):
    %y = arith.extf %in : f16 to f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%out : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %y = arith.mulf %p, %q : f32
    %z = arith.addf %o, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// What expands a product's result comes behind what is done to it.
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (n)>
// CHECK-LABEL: func.func @expanded
// CHECK-SAME: %[[BIAS:[^ :]*]]: tensor<16xf32>, %[[RESIDUAL:[^ :]*]]: tensor<2x4x16xf32>)
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[RESIDUAL]]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[BIAS]], %[[FLAT]] : tensor<8x16xf32>, tensor<16xf32>, tensor<8x16xf32>)
// CHECK: tensor.expand_shape %[[R]]
// CHECK-NOT: linalg
func.func @expanded(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>, %bias: tensor<16xf32>, %residual: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  %x = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %e = tensor.empty() : tensor<2x4x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %bias : tensor<2x4x16xf32>, tensor<16xf32>) outs(%e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %s = arith.addf %in, %y : f32
    linalg.yield %s : f32
  } -> tensor<2x4x16xf32>
  %1 = linalg.add ins(%0, %residual : tensor<2x4x16xf32>, tensor<2x4x16xf32>) outs(%e : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %1 : tensor<2x4x16xf32>
}

// -----

// What reads a product stays elementwise over it, so that the product's kernel may do it.
// CHECK-LABEL: func.func @turned
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: mulf
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield
func.func @turned(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %two = arith.constant dense<2.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.mul ins(%p, %two : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  return %1 : tensor<8x8xf32>
}

// -----

// An extension is computed wherever it is read: the narrower tensor is less to read.
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @extended_for_two
// CHECK-SAME: (%[[A:.*]]: tensor<8x16xf32>,
// CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<8x16xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: extf
// CHECK-NEXT: addf
// CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<8x16xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: extf
// CHECK-NEXT: math.exp
// CHECK-NOT: linalg.generic
func.func @extended_for_two(%a: tensor<8x16xf32>, %c: tensor<8xf64>) -> (tensor<8xf64>, tensor<8x16xf64>) {
  %e = tensor.empty() : tensor<8x16xf64>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf64>) {
  ^bb0(%in: f32, %out: f64):
    %y = arith.extf %in : f32 to f64
    linalg.yield %y : f64
  } -> tensor<8x16xf64>
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf64>) outs(%c : tensor<8xf64>) {
  ^bb0(%in: f64, %out: f64):
    %s = arith.addf %in, %out : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  %1 = linalg.exp ins(%x : tensor<8x16xf64>) outs(%e : tensor<8x16xf64>) -> tensor<8x16xf64>
  return %0, %1 : tensor<8xf64>, tensor<8x16xf64>
}

// -----

// As torch-mlir writes a batch norm: a value for each channel, with dimensions of one behind it. The reshape comes first.
#id = affine_map<(c, h, w) -> (c, h, w)>
#channel = affine_map<(c, h, w) -> (c, 0, 0)>
// CHECK-LABEL: func.func @value_of_a_channel
// CHECK: %[[V:.*]] = tensor.expand_shape %{{.*}} : tensor<4xf32> into tensor<4x1x1xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[V]] : tensor<4x8x8xf32>, tensor<4x1x1xf32>)
// CHECK: math.rsqrt
// CHECK: mulf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @value_of_a_channel(%x: tensor<4x8x8xf32>, %variance: tensor<4xf32>) -> tensor<4x8x8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %o = tensor.empty() : tensor<4x8x8xf32>
  %i = linalg.rsqrt ins(%variance : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %wide = tensor.expand_shape %i [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %wide : tensor<4x8x8xf32>, tensor<4x1x1xf32>) outs(%o : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x8x8xf32>
  return %y : tensor<4x8x8xf32>
}

// -----

// Two read it: it is computed once.
#id = affine_map<(c, h, w) -> (c, h, w)>
#channel = affine_map<(c, h, w) -> (c, 0, 0)>
// CHECK-LABEL: func.func @value_for_two
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>)
// CHECK: math.rsqrt
// CHECK: tensor.expand_shape
// CHECK: linalg.generic
// CHECK-NOT: math.rsqrt
// CHECK: return
func.func @value_for_two(%x: tensor<4x8x8xf32>, %variance: tensor<4xf32>) -> (tensor<4x8x8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %o = tensor.empty() : tensor<4x8x8xf32>
  %i = linalg.rsqrt ins(%variance : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %wide = tensor.expand_shape %i [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %wide : tensor<4x8x8xf32>, tensor<4x1x1xf32>) outs(%o : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x8x8xf32>
  return %y, %i : tensor<4x8x8xf32>, tensor<4xf32>
}

// -----

// An element that is read at several places is computed once, unless it is only moved or read by its index.
// CHECK-LABEL: func.func @read_at_several_places
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK: %[[FUNCTION:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[FUNCTION]] : tensor<8xf32>) outs(%{{.*}} : tensor<6x3xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<6x3xf32>)
// CHECK: tensor.extract %[[X]]
// CHECK-NOT: linalg.generic
#id = affine_map<(i) -> (i)>
#window = affine_map<(i, j) -> (i + j)>
#both = affine_map<(i, j) -> (i, j)>
func.func @read_at_several_places(%x: tensor<8xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>) {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %w = tensor.empty() : tensor<6x3xf32>
  %r = linalg.generic {indexing_maps = [#window, #both], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<8xf32>) outs(%w : tensor<6x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %c7, %i : index
    %v = tensor.extract %x[%at] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#window, #both], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<8xf32>) outs(%w : tensor<6x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3xf32>
  return %r, %s : tensor<6x3xf32>, tensor<6x3xf32>
}

// -----

// What reads a product's result with dimensions joined goes over it before they are joined, so that it can be an epilogue.
// CHECK-LABEL: func.func @joined_behind
// CHECK: %[[P:.*]] = linalg.batch_matmul
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<2x3x4xf32>)
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[S]]
// CHECK: return %[[R]]
func.func @joined_behind(%a: tensor<2x3x5xf32>, %b: tensor<2x5x4xf32>, %c: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %half = arith.constant 0.5 : f32
  %p = linalg.batch_matmul ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%c : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %j = tensor.collapse_shape %p [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%j : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %half : f32
    linalg.yield %s : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// -----

// A softmax over one element is elementwise, whichever dimensions its sums have.
#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i, 0)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @one_element
// CHECK-NOT: reduction
// CHECK: arith.maximumf
// CHECK-NOT: reduction
// CHECK: arith.addf
// CHECK-NOT: reduction
// CHECK: return
func.func @one_element(%x: tensor<4x1xf32>, %y: tensor<4xf32>) -> (tensor<4x1xf32>, tensor<4xf32>) {
  %low = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4x1xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
  %m = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x1xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %m, %s : tensor<4x1xf32>, tensor<4xf32>
}

// -----

// A pooling reads its input where the padding would have copied it from; one in 16 bits that is a product does not.
// CHECK-LABEL: func.func @padded_pooling
// CHECK-SAME: (%[[X:[^ :]*]]: tensor<1x2x6x6xf32>
// CHECK: linalg.generic {{.*}}"reduction", "reduction"]} ins(%{{.*}} : tensor<3x3xf32>)
// CHECK: tensor.extract %[[X]]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x8x8xf16>)
// CHECK: linalg.depthwise_conv_2d_nchw_chw
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @padded_pooling(%x: tensor<1x2x6x6xf32>, %y: tensor<1x2x6x6xf16>, %w: tensor<2x3x3xf16>) -> (tensor<1x2x6x6xf32>, tensor<1x2x6x6xf16>) {
  %low = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<1x2x8x8xf32>
  %p = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%pe : tensor<1x2x8x8xf32>) {
  ^bb0(%out: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %i = arith.subi %c, %c1 : index
    %j = arith.remui %d, %c6 : index
    %in = arith.cmpi ult, %i, %c6 : index
    %k = arith.remui %i, %c6 : index
    %v = tensor.extract %x[%a, %b, %k, %j] : tensor<1x2x6x6xf32>
    %r = arith.select %in, %v, %low : f32
    linalg.yield %r : f32
  } -> tensor<1x2x8x8xf32>
  %e = tensor.empty() : tensor<1x2x6x6xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %m = linalg.pooling_nchw_max ins(%p, %window : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %zero = arith.constant 0.0 : f16
  %qe = tensor.empty() : tensor<1x2x8x8xf16>
  %q = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%qe : tensor<1x2x8x8xf16>) {
  ^bb0(%out: f16):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %d = linalg.index 3 : index
    %c6 = arith.constant 6 : index
    %i = arith.remui %c, %c6 : index
    %j = arith.remui %d, %c6 : index
    %v = tensor.extract %y[%a, %b, %i, %j] : tensor<1x2x6x6xf16>
    linalg.yield %v : f16
  } -> tensor<1x2x8x8xf16>
  %de = tensor.empty() : tensor<1x2x6x6xf16>
  %g = linalg.fill ins(%zero : f16) outs(%de : tensor<1x2x6x6xf16>) -> tensor<1x2x6x6xf16>
  %n = linalg.depthwise_conv_2d_nchw_chw ins(%q, %w : tensor<1x2x8x8xf16>, tensor<2x3x3xf16>) outs(%g : tensor<1x2x6x6xf16>) -> tensor<1x2x6x6xf16>
  return %m, %n : tensor<1x2x6x6xf32>, tensor<1x2x6x6xf16>
}

// -----

// Two reshapes around an operation that two read: it goes over what there was before and is behind.
// CHECK-LABEL: func.func @undone
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x5x5xf32>)
// CHECK-NOT: shape
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x4x5x5xf32>)
// CHECK: mulf
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%[[S]]
// CHECK-NOT: shape
// CHECK: return
#flat = affine_map<(a, b, c) -> (a, b, c)>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#rows = affine_map<(a, b, c, d) -> (a, b, c)>
func.func @undone(%x: tensor<2x4x5x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5x5xf32>) {
  %c = arith.constant 3.0 : f32
  %flat = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x4x5x5xf32> into tensor<8x5x5xf32>
  %e = tensor.empty() : tensor<8x5x5xf32>
  %s = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel", "parallel", "parallel"]} ins(%flat : tensor<8x5x5xf32>) outs(%e : tensor<8x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.mulf %in, %c : f32
    linalg.yield %v : f32
  } -> tensor<8x5x5xf32>
  %wide = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 5, 5] : tensor<8x5x5xf32> into tensor<2x4x5x5xf32>
  %re = tensor.empty() : tensor<2x4x5xf32>
  %low = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%low : f32) outs(%re : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %m = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%wide : tensor<2x4x5x5xf32>) outs(%f : tensor<2x4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<2x4x5xf32>
  return %m, %wide : tensor<2x4x5xf32>, tensor<2x4x5x5xf32>
}
