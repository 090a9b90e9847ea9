// RUN: mmtune-opt %s --fuse-elementwise --split-input-file | FileCheck %s
// Bodies that read tensors by index, as decompose-tensors writes them.

#id = affine_map<(a, b) -> (a, b)>
#turned = affine_map<(a, b) -> (b, a)>

// A slice of a turned tensor, negated: all in the reader's body; the slice moves the index, the turn exchanges two.
// CHECK-LABEL: func.func @computed_where_read
// CHECK-SAME: (%[[X:.*]]: tensor<6x4xf32>)
// CHECK-NOT: tensor.extract_slice
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x3xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[FAR:.*]] = arith.muli %[[J]], %c2
// CHECK: %[[AT:.*]] = arith.addi %[[FAR]], %c1
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[AT]], %[[I]]]
// CHECK: arith.negf %[[E]]
// CHECK-NOT: linalg.generic
func.func @computed_where_read(%x: tensor<6x4xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %f = tensor.empty() : tensor<4x3xf32>
  %t = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %s = tensor.extract_slice %t[0, 1] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
  %n = linalg.negf ins(%s : tensor<4x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<4x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %n[%i, %j] : tensor<4x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// Neither what is read twice, nor by several elements, nor functions, nor what has regions.
// CHECK-LABEL: func.func @computed_before
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: arith.negf
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: arith.negf
// CHECK: %[[C:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: %[[D:.*]] = linalg.generic
// CHECK: scf.if
// CHECK: %[[R:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-DAG: tensor.extract %[[A]]
// CHECK-DAG: tensor.extract %[[B]]
// CHECK-DAG: tensor.extract %[[C]]
// CHECK-DAG: tensor.extract %[[D]]
// CHECK: return %[[R]], %[[A]]
func.func @computed_before(%x: tensor<4xf32>, %y: tensor<7xf32>, %cond: i1) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %e7 = tensor.empty() : tensor<7xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %a = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.negf ins(%y : tensor<7xf32>) outs(%e7 : tensor<7xf32>) -> tensor<7xf32>
  %c = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = scf.if %cond -> f32 {
      scf.yield %in : f32
    } else {
      %w = arith.negf %in : f32
      scf.yield %w : f32
    }
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%e2 : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ij = arith.addi %i, %j : index
    %0 = tensor.extract %a[%i] : tensor<4xf32>
    %1 = tensor.extract %b[%ij] : tensor<7xf32>
    %2 = tensor.extract %c[%i] : tensor<4xf32>
    %3 = tensor.extract %d[%j] : tensor<4xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<4x4xf32>
  return %r, %a : tensor<4x4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(a, b) -> (a, b)>
#turned = affine_map<(a, b) -> (b, a)>

// A turned tensor that two read: neither needs a copy. A product does: the copy stays, for all.
// CHECK-LABEL: func.func @turned_for_two
// CHECK-SAME: (%[[X:[^:]*]]: tensor<6x4xf32>, %[[Y:[^:]*]]: tensor<4x6xf32>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]]
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: negf
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: linalg.yield %in
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[T]] :
// CHECK: negf
// CHECK: linalg.matmul ins(%[[T]],
func.func @turned_for_two(%x: tensor<6x4xf32>, %y: tensor<4x6xf32>, %z: tensor<4x4xf32>, %zz: tensor<6x4xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %e = tensor.empty() : tensor<4x6xf32>
  %f = tensor.empty() : tensor<6x4xf32>
  %t = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %a = linalg.add ins(%t, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = linalg.negf ins(%t : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %u = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%f : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x4xf32>
  %c = linalg.negf ins(%u : tensor<6x4xf32>) outs(%f : tensor<6x4xf32>) -> tensor<6x4xf32>
  %d = linalg.matmul ins(%u, %z : tensor<6x4xf32>, tensor<4x4xf32>) outs(%zz : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %a, %b, %c, %d : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// -----

// Row numbers, turned into columns by reshapes of dimensions of one element.
// CHECK-LABEL: func.func @row_numbers
// CHECK-NOT: shape
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<5x5xi64>)
// CHECK-DAG: linalg.index 0
// CHECK-DAG: linalg.index 1
// CHECK: arith.subi
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @row_numbers() -> tensor<5x5xi64> {
  %e = tensor.empty() : tensor<5x1xi64>
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x1xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i64
    linalg.yield %r : i64
  } -> tensor<5x1xi64>
  %flat = tensor.collapse_shape %rows [[0, 1]] : tensor<5x1xi64> into tensor<5xi64>
  %columns = tensor.expand_shape %flat [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
  %f = tensor.empty() : tensor<5x5xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (0, b)>, affine_map<(a, b) -> (a, 0)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%columns, %rows : tensor<1x5xi64>, tensor<5x1xi64>) outs(%f : tensor<5x5xi64>) {
  ^bb0(%c: i64, %r: i64, %out: i64):
    %d = arith.subi %c, %r : i64
    linalg.yield %d : i64
  } -> tensor<5x5xi64>
  return %y : tensor<5x5xi64>
}

// -----

// What is little work is computed where it is read, behind reshapes, too: numbers made of their place, a broadcast.
// CHECK-LABEL: func.func @behind_reshapes
// CHECK-SAME: (%[[X:.*]]: tensor<4xi64>)
// CHECK-NOT: tensor.collapse_shape
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<12xi64>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[COLUMN:.*]] = arith.remui %[[I]], %c3
// CHECK: %[[ROW:.*]] = arith.divui %[[I]], %c3
// CHECK: tensor.extract %[[X]]
// CHECK-NOT: linalg.generic
func.func @behind_reshapes(%x: tensor<4xi64>) -> tensor<12xi64> {
  %e = tensor.empty() : tensor<1x4x3xi64>
  %f = tensor.empty() : tensor<12xi64>
  %c0 = arith.constant 0 : index
  %rows = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4xi64>) outs(%e : tensor<1x4x3xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x4x3xi64>
  %columns = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x3xi64>) {
  ^bb0(%out: i64):
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %s = arith.addi %b, %c : index
    %n = arith.index_cast %s : index to i64
    linalg.yield %n : i64
  } -> tensor<1x4x3xi64>
  %flat = tensor.collapse_shape %rows [[0, 1, 2]] : tensor<1x4x3xi64> into tensor<12xi64>
  %high = tensor.expand_shape %flat [[0, 1]] output_shape [12, 1] : tensor<12xi64> into tensor<12x1xi64>
  %others = tensor.collapse_shape %columns [[0, 1, 2]] : tensor<1x4x3xi64> into tensor<12xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>], iterator_types = ["parallel"]} outs(%f : tensor<12xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %v = tensor.extract %high[%i, %c0] : tensor<12x1xi64>
    %w = tensor.extract %others[%i] : tensor<12xi64>
    %s = arith.addi %v, %w : i64
    linalg.yield %s : i64
  } -> tensor<12xi64>
  return %r : tensor<12xi64>
}
