// With their places: descending along columns, ascending along rows with NaN, both keeping the order of equal elements.
func.func @f(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>, tensor<1x5xi32>) {
  %at = arith.constant dense<[[0, 0], [1, 1], [2, 2], [3, 3]]> : tensor<4x2xi64>
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %at : tensor<4x2xf32>, tensor<4x2xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %order = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %order : i1
  } -> tensor<4x2xf32>, tensor<4x2xi64>
  %values = arith.constant dense<[[3.0, 0x7FC00000, 1.0, 3.0, 0x7FC00000]]> : tensor<1x5xf32>
  %places = arith.constant dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi32>
  %1:2 = tm_tensor.sort dimension(1) outs(%values, %places : tensor<1x5xf32>, tensor<1x5xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %order = arith.cmpf ult, %a, %b : f32
    tm_tensor.yield %order : i1
  } -> tensor<1x5xf32>, tensor<1x5xi32>
  return %0#0, %0#1, %1#1 : tensor<4x2xf32>, tensor<4x2xi64>, tensor<1x5xi32>
}
