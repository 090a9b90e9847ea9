// RUN: mmtune-opt %s --narrow-f64 --split-input-file --verify-diagnostics | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// The variance of torch's layer norm: all of it, its start is used elsewhere too, and an empty tensor by another chain.
// CHECK-LABEL: func.func @variance
// CHECK-SAME: (%[[X:.*]]: tensor<8x32xf32>)
// CHECK-NOT: f64
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[X]] : tensor<8x32xf32>)
// CHECK: arith.addf {{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<8x1xf32>)
// CHECK: arith.divf {{.*}} : f32
// CHECK: arith.subf {{.*}} : f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: "reduction"]}
// CHECK-NOT: f64
func.func @variance(%x: tensor<8x32xf32>) -> tensor<8x1xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 32.0 : f64
  %wide = tensor.empty() : tensor<8x32xf64>
  %one = tensor.empty() : tensor<8x1xf64>
  %xw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x32xf32>) outs(%wide : tensor<8x32xf64>) {
  ^bb0(%in: f32, %out: f64):
    %e = arith.extf %in : f32 to f64
    linalg.yield %e : f64
  } -> tensor<8x32xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%one : tensor<8x1xf64>) -> tensor<8x1xf64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%xw : tensor<8x32xf64>) outs(%zeros : tensor<8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %a = arith.addf %in, %out : f64
    linalg.yield %a : f64
  } -> tensor<8x1xf64>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<8x1xf64>) outs(%one : tensor<8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %a = arith.divf %in, %n : f64
    linalg.yield %a : f64
  } -> tensor<8x1xf64>
  %square = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%xw, %mean : tensor<8x32xf64>, tensor<8x1xf64>) outs(%wide : tensor<8x32xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %d = arith.subf %in, %m : f64
    %a = arith.mulf %d, %d : f64
    linalg.yield %a : f64
  } -> tensor<8x32xf64>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%square : tensor<8x32xf64>) outs(%zeros : tensor<8x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %a = arith.addf %in, %out : f64
    linalg.yield %a : f64
  } -> tensor<8x1xf64>
  %narrow = tensor.empty() : tensor<8x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<8x1xf64>) outs(%narrow : tensor<8x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    // expected-remark@below {{f64 arithmetic whose result becomes f32 here is computed in f32 (--narrow-f64): 5 operations}}
    %a = arith.truncf %in : f64 to f32
    linalg.yield %a : f32
  } -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// From f16 and to bf16: extended and rounded from and to f32. Two chains in one operation; the first one is none.
// CHECK-LABEL: func.func @halves
// CHECK: %[[XW:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[XW]] : tensor<?xf64>, tensor<?xf32>)
// CHECK: arith.addf {{.*}} : f64
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @halves(%d: tensor<?xf64>, %x: tensor<?xf16>, %n: index) -> (tensor<?xf64>, tensor<?xbf16>) {
  %wide = tensor.empty(%n) : tensor<?xf64>
  %xw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf16>) outs(%wide : tensor<?xf64>) {
  ^bb0(%in: f16, %out: f64):
    %e = arith.extf %in : f16 to f64
    linalg.yield %e : f64
  } -> tensor<?xf64>
  %half = tensor.empty(%n) : tensor<?xbf16>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%d, %xw : tensor<?xf64>, tensor<?xf64>) outs(%wide, %half : tensor<?xf64>, tensor<?xbf16>) {
  ^bb0(%in: f64, %e: f64, %out: f64, %out2: bf16):
    %s = arith.addf %in, %in : f64
    %a = arith.addf %e, %e : f64
    // expected-remark@below {{is computed in f32 (--narrow-f64): 1 operations}}
    %t = arith.truncf %a : f64 to bf16
    linalg.yield %s, %t : f64, bf16
  } -> (tensor<?xf64>, tensor<?xbf16>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xbf16>
}

// -----

// Reshapes, and constants of many elements.
// CHECK-LABEL: func.func @reshaped
// CHECK-DAG: arith.constant dense<[1.500000e+00, 0.333333343]> : tensor<2xf32>
// CHECK: tensor.expand_shape %{{.*}} : tensor<4xf32> into tensor<2x2xf32>
// CHECK-NOT: f64
func.func @reshaped(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %c = arith.constant dense<[1.5, 0.33333333333333331]> : tensor<2xf64>
  %four = tensor.empty() : tensor<4xf64>
  %two = tensor.empty() : tensor<2x2xf64>
  %narrow = tensor.empty() : tensor<2x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%four : tensor<4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %e = arith.extf %in : f32 to f64
    %a = math.sqrt %e : f64
    linalg.yield %a : f64
  } -> tensor<4xf64>
  %m = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m, %c : tensor<2x2xf64>, tensor<2xf64>) outs(%narrow : tensor<2x2xf32>) {
  ^bb0(%in: f64, %f: f64, %out: f32):
    %a = arith.mulf %in, %f : f64
    // expected-remark@below {{2 operations}}
    %t = arith.truncf %a : f64 to f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// A scalar detour, from which two values end.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[SUM]] : f32
// CHECK: return %[[SUM]], %[[PRODUCT]]
func.func @scalars(%x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f64
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %one : f64
  // expected-remark@below {{2 operations}}
  %a = arith.truncf %s : f64 to f32
  %p = arith.mulf %s, %s : f64
  %b = arith.truncf %p : f64 to f32
  return %a, %b : f32, f32
}

// -----

// The sizes of what is extended are known of its result alone, which a reshape needs.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>)
// CHECK: %[[FOUR:.*]] = tensor.cast %[[X]] : tensor<?xf32> to tensor<4xf32>
// CHECK: tensor.expand_shape %[[FOUR]] {{.*}} : tensor<4xf32> into tensor<2x2xf32>
func.func @sizes(%x: tensor<?xf32>) -> tensor<2x2xf32> {
  %four = tensor.empty() : tensor<4xf64>
  %narrow = tensor.empty() : tensor<2x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%four : tensor<4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %e = arith.extf %in : f32 to f64
    linalg.yield %e : f64
  } -> tensor<4xf64>
  %m = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<2x2xf64>) outs(%narrow : tensor<2x2xf32>) {
  ^bb0(%in: f64, %out: f32):
    %a = arith.mulf %in, %in : f64
    // expected-remark@below {{1 operations}}
    %t = arith.truncf %a : f64 to f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
