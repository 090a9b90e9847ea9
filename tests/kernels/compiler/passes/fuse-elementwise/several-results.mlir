// RUN: mmtune-opt %s --fuse-elementwise --split-input-file | FileCheck %s
// Reductions with several results, as reductions with one.

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// The first NaN, the maximum before it, its place; where nothing is beyond the value at the start, the place there.
// CHECK-LABEL: func.func @place_of_maximum
// CHECK: %[[V:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<7x300xf32>) outs({{.*}} : tensor<7xf32>)
// CHECK: arith.maximumf
// CHECK: %[[NAN:.*]] = linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<7x300xf32>) outs({{.*}} : tensor<7xi64>)
// CHECK: arith.cmpf uno
// CHECK: arith.minsi
// CHECK: %[[BEST:.*]] = linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %[[NAN]] : tensor<7x300xf32>, tensor<7xi64>) outs({{.*}} : tensor<7xf32>)
// CHECK: %[[FOUND:.*]] = linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %[[NAN]], %[[BEST]] : tensor<7x300xf32>, tensor<7xi64>, tensor<7xf32>)
// CHECK: arith.cmpf oeq
// CHECK: arith.minsi
// CHECK: %[[PLACE:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK: arith.cmpf ogt
// CHECK: return %[[V]], %[[PLACE]]
func.func @place_of_maximum(%x: tensor<7x300xf32>, %v: tensor<7xf32>, %p: tensor<7xi64>) -> (tensor<7xf32>, tensor<7xi64>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x300xf32>) outs(%v, %p : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%in: f32, %value: f32, %place: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %value : f32
    %c = arith.cmpf ogt, %in, %value : f32
    %s = arith.select %c, %at, %place : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  return %r#0, %r#1 : tensor<7xf32>, tensor<7xi64>
}

// -----

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// Integers are never NaN; the results may come in the other order, the operands of the comparison, too.
// CHECK-LABEL: func.func @place_of_least_integer
// CHECK-COUNT-2: iterator_types = ["parallel", "reduction"]
// CHECK-NOT: "reduction"
// CHECK: iterator_types = ["parallel"]
func.func @place_of_least_integer(%x: tensor<?x?xi32>, %v: tensor<?xi32>, %p: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xi32>) outs(%p, %v : tensor<?xi64>, tensor<?xi32>) {
  ^bb0(%in: i32, %place: i64, %value: i32):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %m = arith.minsi %value, %in : i32
    %c = arith.cmpi sgt, %value, %in : i32
    %s = arith.select %c, %at, %place : i64
    linalg.yield %s, %m : i64, i32
  } -> (tensor<?xi64>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xi64>, tensor<?xi32>
}

// -----

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// The last of equal elements: the largest index of one that is the maximum.
// CHECK-LABEL: func.func @last_place
// CHECK: %[[NONE:.*]] = arith.constant -1 : i64
// CHECK-COUNT-3: iterator_types = ["parallel", "reduction"]
// CHECK: %[[FOUND:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.maxsi
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK: arith.cmpi ne, %{{.*}}, %[[NONE]]
func.func @last_place(%x: tensor<7x300xf32>, %v: tensor<7xf32>, %p: tensor<7xi64>) -> (tensor<7xf32>, tensor<7xi64>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x300xf32>) outs(%v, %p : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%in: f32, %value: f32, %place: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %value : f32
    %c = arith.cmpf oge, %in, %value : f32
    %s = arith.select %c, %at, %place : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  return %r#0, %r#1 : tensor<7xf32>, tensor<7xi64>
}

// -----

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// Places that have no room for each number, and a maximum across memory of not so many elements, stay together.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-2: = linalg.generic {{.*}}"reduction"
// CHECK-NOT: linalg.generic
func.func @stay(%x: tensor<7x300xf32>, %y: tensor<300x7xf32>, %v: tensor<7xf32>, %p: tensor<7xi64>, %q: tensor<7xi16>) -> (tensor<7xi16>, tensor<7xi64>) {
  %n:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x300xf32>) outs(%v, %q : tensor<7xf32>, tensor<7xi16>) {
  ^bb0(%in: f32, %value: f32, %place: i16):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i16
    %m = arith.maximumf %in, %value : f32
    %c = arith.cmpf ogt, %in, %value : f32
    %s = arith.select %c, %at, %place : i16
    linalg.yield %m, %s : f32, i16
  } -> (tensor<7xf32>, tensor<7xi16>)
  %a:2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<300x7xf32>) outs(%v, %p : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%in: f32, %value: f32, %place: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %value : f32
    %c = arith.cmpf ogt, %in, %value : f32
    %s = arith.select %c, %at, %place : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  return %n#1, %a#1 : tensor<7xi16>, tensor<7xi64>
}

// -----

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// Two sums have nothing to do with one another; a mean that starts from some value and is updated with a count has.
// CHECK-LABEL: func.func @moments
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<7x300xf32>) outs(%{{.*}} : tensor<7xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<7x300xf32>) outs(%{{.*}} : tensor<7xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<7x300xf32>) outs(%{{.*}}, %{{.*}} : tensor<7xf32>, tensor<7xf32>)
func.func @moments(%x: tensor<7x300xf32>, %v: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %one = arith.constant 1.0 : f32
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x300xf32>) outs(%v, %v : tensor<7xf32>, tensor<7xf32>) {
  ^bb0(%in: f32, %sum: f32, %squares: f32):
    %s = arith.addf %sum, %in : f32
    %q = arith.mulf %in, %in : f32
    %t = arith.addf %squares, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<7xf32>, tensor<7xf32>)
  %w:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x300xf32>) outs(%v, %v : tensor<7xf32>, tensor<7xf32>) {
  ^bb0(%in: f32, %mean: f32, %count: f32):
    %n = arith.addf %count, %one : f32
    %d = arith.subf %in, %mean : f32
    %u = arith.divf %d, %n : f32
    %m = arith.addf %mean, %u : f32
    linalg.yield %m, %n : f32, f32
  } -> (tensor<7xf32>, tensor<7xf32>)
  return %r#0, %r#1, %w#0, %w#1 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}
