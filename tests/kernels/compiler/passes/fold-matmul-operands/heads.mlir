// RUN: mmtune-opt %s --fold-matmul-operands --canonicalize --cse --split-input-file | FileCheck %s

// Behind a reshape that joins batch and heads, and before one that parts them: the product has both.
// CHECK: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// CHECK: #[[V:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
// CHECK: #[[O:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func.func @attention
// CHECK-SAME: (%[[X:.*]]: tensor<2x7x3x8xf32>, %[[Y:.*]]: tensor<2x8x3x5xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<2x7x3x5xf32>)
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[Q]], #[[V]], #[[O]]]{{.*}} ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[ZEROS]]
// CHECK: return %[[R]]
func.func @attention(%x: tensor<2x7x3x8xf32>, %y: tensor<2x8x3x5xf32>) -> tensor<2x7x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<2x3x7x8xf32>
  %xt = linalg.transpose ins(%x : tensor<2x7x3x8xf32>) outs(%xe : tensor<2x3x7x8xf32>) permutation = [0, 2, 1, 3]
  %ye = tensor.empty() : tensor<2x3x8x5xf32>
  %yt = linalg.transpose ins(%y : tensor<2x8x3x5xf32>) outs(%ye : tensor<2x3x8x5xf32>) permutation = [0, 2, 1, 3]
  %a = tensor.collapse_shape %xt [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %b = tensor.collapse_shape %yt [[0, 1], [2], [3]] : tensor<2x3x8x5xf32> into tensor<6x8x5xf32>
  %e = tensor.empty() : tensor<6x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<6x7x8xf32>, tensor<6x8x5xf32>) outs(%f : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  %p4 = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 3, 7, 5] : tensor<6x7x5xf32> into tensor<2x3x7x5xf32>
  %re = tensor.empty() : tensor<2x7x3x5xf32>
  %r = linalg.transpose ins(%p4 : tensor<2x3x7x5xf32>) outs(%re : tensor<2x7x3x5xf32>) permutation = [0, 2, 1, 3]
  return %r : tensor<2x7x3x5xf32>
}

// -----

// What would be small matrices, one for each of nine sequences, stays one behind a copy.
// CHECK-LABEL: func.func @rows_of_all
// CHECK: linalg.transpose
// CHECK: tensor.collapse_shape
// CHECK: linalg.matmul
func.func @rows_of_all(%x: tensor<5x9x16xf32>, %w: tensor<16x12xf32>, %c: tensor<45x12xf32>) -> tensor<45x12xf32> {
  %te = tensor.empty() : tensor<9x5x16xf32>
  %t = linalg.transpose ins(%x : tensor<5x9x16xf32>) outs(%te : tensor<9x5x16xf32>) permutation = [1, 0, 2]
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<9x5x16xf32> into tensor<45x16xf32>
  %r = linalg.matmul ins(%a, %w : tensor<45x16xf32>, tensor<16x12xf32>) outs(%c : tensor<45x12xf32>) -> tensor<45x12xf32>
  return %r : tensor<45x12xf32>
}

// -----

// A result that two read, one that is added to what a tensor held, and one of unknown size are turned behind the product.
// CHECK-LABEL: func.func @results
// CHECK-COUNT-3: linalg.transpose
func.func @results(%a: tensor<3x7x8xf32>, %b: tensor<3x8x5xf32>, %c: tensor<3x7x5xf32>, %d: tensor<3x?x8xf32>, %n: index)
    -> (tensor<3x7x5xf32>, tensor<7x3x5xf32>, tensor<7x3x5xf32>, tensor<?x3x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %te = tensor.empty() : tensor<7x3x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xf32>, tensor<3x8x5xf32>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %pt = linalg.transpose ins(%p : tensor<3x7x5xf32>) outs(%te : tensor<7x3x5xf32>) permutation = [1, 0, 2]
  %q = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xf32>, tensor<3x8x5xf32>) outs(%c : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %qt = linalg.transpose ins(%q : tensor<3x7x5xf32>) outs(%te : tensor<7x3x5xf32>) permutation = [1, 0, 2]
  %se = tensor.empty(%n) : tensor<3x?x5xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<3x?x5xf32>) -> tensor<3x?x5xf32>
  %s = linalg.batch_matmul ins(%d, %b : tensor<3x?x8xf32>, tensor<3x8x5xf32>) outs(%sf : tensor<3x?x5xf32>) -> tensor<3x?x5xf32>
  %ue = tensor.empty(%n) : tensor<?x3x5xf32>
  %st = linalg.transpose ins(%s : tensor<3x?x5xf32>) outs(%ue : tensor<?x3x5xf32>) permutation = [1, 0, 2]
  return %p, %pt, %qt, %st : tensor<3x7x5xf32>, tensor<7x3x5xf32>, tensor<7x3x5xf32>, tensor<?x3x5xf32>
}

// -----

// A result that is rounded before it is turned is stored turned, and rounded there; behind a reshape, too, and before one.
#id = affine_map<(i, j, k) -> (i, j, k)>
#id4 = affine_map<(h, i, j, k) -> (h, i, j, k)>
// CHECK-LABEL: func.func @rounded
// CHECK-NOT: linalg.transpose
// CHECK: %[[P:.*]] = linalg.generic {{.*}}"reduction"]}
// CHECK: linalg.generic {{.*}} ins(%[[P]] : tensor<7x3x5xf32>)
// CHECK: arith.truncf
// CHECK: -> tensor<7x3x5xbf16>
// CHECK: %[[Q:.*]] = linalg.generic {{.*}}"reduction"]}
// CHECK: linalg.generic {{.*}} ins(%[[Q]] : tensor<1x7x3x5xf32>)
// CHECK: arith.truncf
// CHECK: -> tensor<1x7x3x5xbf16>
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"reduction"]}
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<1x7x3x5xf32>)
// CHECK: arith.truncf
// CHECK-NOT: linalg.transpose
func.func @rounded(%a: tensor<3x7x8xbf16>, %b: tensor<3x8x5xbf16>, %d: tensor<3x7x8xbf16>) -> (tensor<7x3x5xbf16>, tensor<1x7x3x5xbf16>, tensor<1x7x3x5xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x5xf32>
  %n = tensor.empty() : tensor<3x7x5xbf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xbf16>, tensor<3x8x5xbf16>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<3x7x5xf32>) outs(%n : tensor<3x7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x7x5xbf16>
  %te = tensor.empty() : tensor<7x3x5xbf16>
  %rt = linalg.transpose ins(%r : tensor<3x7x5xbf16>) outs(%te : tensor<7x3x5xbf16>) permutation = [1, 0, 2]
  %q = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xbf16>, tensor<3x8x5xbf16>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<3x7x5xf32>) outs(%n : tensor<3x7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x7x5xbf16>
  %x = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [1, 3, 7, 5] : tensor<3x7x5xbf16> into tensor<1x3x7x5xbf16>
  %xe = tensor.empty() : tensor<1x7x3x5xbf16>
  %st = linalg.transpose ins(%x : tensor<1x3x7x5xbf16>) outs(%xe : tensor<1x7x3x5xbf16>) permutation = [0, 2, 1, 3]
  %u = linalg.batch_matmul ins(%d, %b : tensor<3x7x8xbf16>, tensor<3x8x5xbf16>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %ux = tensor.expand_shape %u [[0, 1], [2], [3]] output_shape [1, 3, 7, 5] : tensor<3x7x5xf32> into tensor<1x3x7x5xf32>
  %un = tensor.empty() : tensor<1x3x7x5xbf16>
  %v = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%ux : tensor<1x3x7x5xf32>) outs(%un : tensor<1x3x7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x3x7x5xbf16>
  %vt = linalg.transpose ins(%v : tensor<1x3x7x5xbf16>) outs(%xe : tensor<1x7x3x5xbf16>) permutation = [0, 2, 1, 3]
  return %rt, %st, %vt : tensor<7x3x5xbf16>, tensor<1x7x3x5xbf16>, tensor<1x7x3x5xbf16>
}

// -----

// What is read as it was, too, and columns that kernels cannot store apart, are rounded before they are turned.
#id = affine_map<(i, j, k) -> (i, j, k)>
// CHECK-LABEL: func.func @rounded_first
// CHECK-COUNT-2: linalg.transpose {{.*}}xbf16>)
func.func @rounded_first(%a: tensor<3x7x8xbf16>, %b: tensor<3x8x5xbf16>) -> (tensor<3x7x5xbf16>, tensor<7x3x5xbf16>, tensor<7x5x3xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x5xf32>
  %n = tensor.empty() : tensor<3x7x5xbf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xbf16>, tensor<3x8x5xbf16>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<3x7x5xf32>) outs(%n : tensor<3x7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x7x5xbf16>
  %te = tensor.empty() : tensor<7x3x5xbf16>
  %rt = linalg.transpose ins(%r : tensor<3x7x5xbf16>) outs(%te : tensor<7x3x5xbf16>) permutation = [1, 0, 2]
  %q = linalg.batch_matmul ins(%a, %b : tensor<3x7x8xbf16>, tensor<3x8x5xbf16>) outs(%f : tensor<3x7x5xf32>) -> tensor<3x7x5xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<3x7x5xf32>) outs(%n : tensor<3x7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x7x5xbf16>
  %xe = tensor.empty() : tensor<7x5x3xbf16>
  %st = linalg.transpose ins(%s : tensor<3x7x5xbf16>) outs(%xe : tensor<7x5x3xbf16>) permutation = [1, 2, 0]
  return %r, %rt, %st : tensor<3x7x5xbf16>, tensor<7x3x5xbf16>, tensor<7x5x3xbf16>
}

// -----

// Two heads of queries share one of keys, which is repeated for each and turned: the product reads that one, for the rows
// of both.
#kv = affine_map<(b, h, n, i, d) -> (b, h, i, d)>
#all = affine_map<(b, h, n, i, d) -> (b, h, n, i, d)>
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[K:[^:]*]]: tensor<2x3x5x6xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]]{{.*}} ins(%{{.*}}, %[[K]] :
// CHECK-NOT: linalg.generic
func.func @shared(%q: tensor<2x6x7x6xf32>, %k: tensor<2x3x5x6xf32>) -> tensor<2x6x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<2x3x2x5x6xf32>
  %kr = linalg.generic {indexing_maps = [#kv, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<2x3x5x6xf32>) outs(%e5 : tensor<2x3x2x5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x2x5x6xf32>
  %kc = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x3x2x5x6xf32> into tensor<2x6x5x6xf32>
  %et = tensor.empty() : tensor<2x6x6x5xf32>
  %kt = linalg.transpose ins(%kc : tensor<2x6x5x6xf32>) outs(%et : tensor<2x6x6x5xf32>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x6x7x6xf32> into tensor<12x7x6xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x6x6x5xf32> into tensor<12x6x5xf32>
  %es = tensor.empty() : tensor<12x7x5xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<12x7x5xf32>) -> tensor<12x7x5xf32>
  %s = linalg.batch_matmul ins(%q3, %k3 : tensor<12x7x6xf32>, tensor<12x6x5xf32>) outs(%fs : tensor<12x7x5xf32>) -> tensor<12x7x5xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 6, 7, 5] : tensor<12x7x5xf32> into tensor<2x6x7x5xf32>
  return %s4 : tensor<2x6x7x5xf32>
}

// -----

// Keys that two heads share, and that are turned behind that: they are read where they lie.
#all = affine_map<(b, g, r, i, j) -> (b, g, r, i, j)>
#shared = affine_map<(b, g, r, i, j) -> (b, g, i, j)>
// CHECK-LABEL: func.func @shared_keys
// CHECK-SAME: (%[[Q:.*]]: tensor<1x6x7x8xf32>, %[[K:.*]]: tensor<1x3x5x8xf32>)
// CHECK-NOT: "parallel", "parallel"]}
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %[[K]] :
// CHECK-NOT: linalg.generic
func.func @shared_keys(%q: tensor<1x6x7x8xf32>, %k: tensor<1x3x5x8xf32>) -> tensor<6x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<1x3x2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#shared, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x3x5x8xf32>) outs(%re : tensor<1x3x2x5x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x2x5x8xf32>
  %h = tensor.collapse_shape %r [[0], [1, 2], [3], [4]] : tensor<1x3x2x5x8xf32> into tensor<1x6x5x8xf32>
  %te = tensor.empty() : tensor<1x6x8x5xf32>
  %t = linalg.transpose ins(%h : tensor<1x6x5x8xf32>) outs(%te : tensor<1x6x8x5xf32>) permutation = [0, 1, 3, 2]
  %a = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x6x7x8xf32> into tensor<6x7x8xf32>
  %b = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<1x6x8x5xf32> into tensor<6x8x5xf32>
  %e = tensor.empty() : tensor<6x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<6x7x8xf32>, tensor<6x8x5xf32>) outs(%f : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  return %p : tensor<6x7x5xf32>
}
