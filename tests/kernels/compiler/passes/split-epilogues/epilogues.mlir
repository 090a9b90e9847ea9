// RUN: mmtune-opt %s --split-epilogues --split-input-file | FileCheck %s

// Bias and relu, which a kernel does, and a sine, which none does.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @then_a_sine
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<16xf32>)
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[BIAS]]
// CHECK: addf
// CHECK-NEXT: maximumf
// CHECK-NEXT: linalg.yield
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[BIAS]], %[[X]] :
// CHECK: math.sin
// CHECK-NEXT: mulf
// CHECK-NEXT: linalg.yield
// CHECK: return %[[R]]
func.func @then_a_sine(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = math.sin %1 : f32
    %3 = arith.mulf %2, %y : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// All of it is an epilogue, or nothing is: what is needed again cannot be taken out, here the sum with the bias.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @all_or_nothing
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @all_or_nothing(%a: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %q = linalg.matmul ins(%a, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %zero : f32
    %s = math.sin %in : f32
    %t = arith.mulf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The first of two matmuls leaves their sum to the second, whose kernel adds, and keeps its own bias.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @two_products
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[Q:.*]] = linalg.matmul
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<8x8xf32>, tensor<8xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: addf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%[[Q]], %{{.*}}, %[[X]] : tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: addf
// CHECK-NEXT: addf
// CHECK-NEXT: linalg.yield
func.func @two_products(%a: tensor<8x8xf32>, %u: tensor<8xf32>, %v: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %u, %q, %v : tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %y: f32, %in2: f32, %y2: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    %1 = arith.addf %in2, %y2 : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// f32 accumulators that start from what the output held have an addend: no second one.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @accumulates
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @accumulates(%a: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    %1 = math.sin %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// Of rows that are known at run time only.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @of_any_number_of_rows
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[ROWS:.*]] = tensor.dim
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x16xf32>
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[P]], {{.*}} outs(%[[EMPTY]] :
// CHECK: addf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%[[X]] :
// CHECK: math.sin
func.func @of_any_number_of_rows(%a: tensor<?x4xf32>, %b: tensor<4x16xf32>, %c: tensor<?x16xf32>, %bias: tensor<16xf32>) -> tensor<?x16xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<?x16xf32>, tensor<16xf32>) outs(%c : tensor<?x16xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    %1 = math.sin %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// -----

// What is no epilogue goes over the dimensions that a reshape behind it joins.
#id = affine_map<(h, n, i, j) -> (h, n, i, j)>
#mask = affine_map<(h, n, i, j) -> (i, j)>
#q = affine_map<(h, n, i, j, k) -> (h, n, i, k)>
#k = affine_map<(h, n, i, j, k) -> (h, j, k)>
#c = affine_map<(h, n, i, j, k) -> (h, n, i, j)>
// CHECK-LABEL: func.func @joined
// CHECK: linalg.generic {{.*}}"reduction"]}
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x5x4xf32>)
// CHECK: arith.mulf
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %[[SCALED]] {{\[\[}}0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[JOINED]] : tensor<5x4xf32>, tensor<6x5x4xf32>)
// CHECK: arith.addf
// CHECK: return %[[R]] : tensor<6x5x4xf32>
func.func @joined(%a: tensor<2x3x5x8xf32>, %b: tensor<2x4x8xf32>, %c: tensor<2x3x5x4xf32>, %m: tensor<5x4xf32>) -> tensor<6x5x4xf32> {
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %p = linalg.generic {indexing_maps = [#q, #k, #c], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x3x5x8xf32>, tensor<2x4x8xf32>) outs(%c : tensor<2x3x5x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p, %m : tensor<2x3x5x4xf32>, tensor<5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.mulf %in, %half : f32
    %1 = arith.addf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x5x4xf32>
  %j = tensor.collapse_shape %r [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
  return %j : tensor<6x5x4xf32>
}

// -----

// Or over those that one splits.
#id = affine_map<(b, i, j) -> (b, i, j)>
#mask = affine_map<(b, i, j) -> (i, j)>
// CHECK-LABEL: func.func @expanded
// CHECK: %[[P:.*]] = linalg.batch_matmul
// CHECK: %[[X:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0, 1], [2], [3]]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<2x3x5x4xf32>, tensor<5x4xf32>)
// CHECK: arith.addf
// CHECK: return %[[R]] : tensor<2x3x5x4xf32>
func.func @expanded(%a: tensor<6x5x8xf32>, %b: tensor<6x8x4xf32>, %c: tensor<6x5x4xf32>, %m: tensor<5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<6x5x4xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<6x5x8xf32>, tensor<6x8x4xf32>) outs(%c : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %m : tensor<6x5x4xf32>, tensor<5x4xf32>) outs(%e : tensor<6x5x4xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    linalg.yield %0 : f32
  } -> tensor<6x5x4xf32>
  %x = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
  return %x : tensor<2x3x5x4xf32>
}
