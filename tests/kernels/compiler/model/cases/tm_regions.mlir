// Regions that are not defined for values which are not their own: remainders by 0, of a first element and of elements
// that no update is for.
func.func @f(%x: tensor<6xi32>, %update: tensor<1xi32>, %place: tensor<1x1xi32>) -> (tensor<6xi32>, tensor<6xi32>) {
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<6xi32>
  %last = tensor.empty() : tensor<i32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<6xi32>) outs(%e, %last : tensor<6xi32>, tensor<i32>) {
  ^bb0(%before: i32, %next: i32):
    %rest = arith.remui %next, %before : i32
    %any = arith.ori %rest, %five : i32
    tm_tensor.yield %any : i32
  } -> tensor<6xi32>, tensor<i32>
  %old = arith.constant dense<[0, 3, 0, 0, 0, 0]> : tensor<6xi32>
  %1 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%update, %place : tensor<1xi32>, tensor<1x1xi32>) outs(%old : tensor<6xi32>) {
  ^bb0(%new: i32, %was: i32):
    %rest = arith.remui %new, %was : i32
    tm_tensor.yield %rest : i32
  } -> tensor<6xi32>
  return %0#0, %1 : tensor<6xi32>, tensor<6xi32>
}
