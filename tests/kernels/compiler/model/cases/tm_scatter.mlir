// Five updates, then two: the last one at a place stays, sums add all, and what lies beyond is left out.
func.func @f(%x: tensor<6xf32>, %slices: tensor<3x2xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %places = arith.constant dense<[[3], [-1], [3], [6], [0]]> : tensor<5x1xi64>
  %updates = arith.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0]> : tensor<5xf32>
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%updates, %places : tensor<5xf32>, tensor<5x1xi64>) outs(%x : tensor<6xf32>) {
  ^bb0(%update: f32, %old: f32):
    tm_tensor.yield %update : f32
  } -> tensor<6xf32>
  %1 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%updates, %places : tensor<5xf32>, tensor<5x1xi64>) outs(%x : tensor<6xf32>) {
  ^bb0(%update: f32, %old: f32):
    %sum = arith.addf %update, %old : f32
    tm_tensor.yield %sum : f32
  } -> tensor<6xf32>
  // Columns of two elements each; half of the second one is beyond.
  %columns = arith.constant dense<[[0, 0], [1, 2]]> : tensor<2x2xi32>
  %pairs = arith.constant dense<[[[10.0], [20.0]], [[30.0], [40.0]]]> : tensor<2x2x1xf32>
  %2 = tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%pairs, %columns : tensor<2x2x1xf32>, tensor<2x2xi32>) outs(%slices : tensor<3x2xf32>) {
  ^bb0(%update: f32, %old: f32):
    tm_tensor.yield %update : f32
  } -> tensor<3x2xf32>
  // The same, in the buffer of what a loop carries.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%carried = %slices) -> tensor<3x2xf32> {
    %next = tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%pairs, %columns : tensor<2x2x1xf32>, tensor<2x2xi32>) outs(%carried : tensor<3x2xf32>) {
    ^bb0(%update: f32, %old: f32):
      %sum = arith.addf %update, %old : f32
      tm_tensor.yield %sum : f32
    } -> tensor<3x2xf32>
    scf.yield %next : tensor<3x2xf32>
  }
  // A row of its own for each of five updates.
  %rows = arith.constant dense<[[2], [0], [7], [8], [9]]> : tensor<5x1xi64>
  %whole = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0]]> : tensor<5x2xf32>
  %4 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%whole, %rows : tensor<5x2xf32>, tensor<5x1xi64>) outs(%slices : tensor<3x2xf32>) {
  ^bb0(%update: f32, %old: f32):
    tm_tensor.yield %update : f32
  } -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4 : tensor<6xf32>, tensor<6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
