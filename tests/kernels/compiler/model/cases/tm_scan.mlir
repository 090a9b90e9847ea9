// Sums along rows, and products along columns of what came before, from 2.
func.func @f(%x: tensor<3x4xf32>, %none: tensor<2x?xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %shape = tensor.empty() : tensor<3x4xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%shape : tensor<3x4xf32>) -> tensor<3x4xf32>
  %rows = tensor.empty() : tensor<3xf32>
  %last = linalg.fill ins(%zero : f32) outs(%rows : tensor<3xf32>) -> tensor<3xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<3x4xf32>) outs(%sums, %last : tensor<3x4xf32>, tensor<3xf32>) {
  ^bb0(%before: f32, %next: f32):
    %sum = arith.addf %before, %next : f32
    tm_tensor.yield %sum : f32
  } -> tensor<3x4xf32>, tensor<3xf32>
  %columns = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%two : f32) outs(%columns : tensor<4xf32>) -> tensor<4xf32>
  %1:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<3x4xf32>) outs(%sums, %start : tensor<3x4xf32>, tensor<4xf32>) {
  ^bb0(%before: f32, %next: f32):
    %product = arith.mulf %before, %next : f32
    tm_tensor.yield %product : f32
  } -> tensor<3x4xf32>, tensor<4xf32>
  %c1 = arith.constant 1 : index
  %size = tensor.dim %none, %c1 : tensor<2x?xf32>
  %any = tensor.empty(%size) : tensor<2x?xf32>
  %pair = tensor.empty() : tensor<2xf32>
  %twos = linalg.fill ins(%two : f32) outs(%pair : tensor<2xf32>) -> tensor<2xf32>
  %2:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%none : tensor<2x?xf32>) outs(%any, %twos : tensor<2x?xf32>, tensor<2xf32>) {
  ^bb0(%before: f32, %next: f32):
    %sum = arith.addf %before, %next : f32
    tm_tensor.yield %sum : f32
  } -> tensor<2x?xf32>, tensor<2xf32>
  return %0#0, %1#0, %1#1, %2#1 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<2xf32>
}
