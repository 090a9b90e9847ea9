// The constant of the padding is in its region.
func.func @f(%x: tensor<3x4xf32>) -> tensor<5x7xf32> {
  %p = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %c = arith.constant 2.5 : f32
    tensor.yield %c : f32
  } : tensor<3x4xf32> to tensor<5x7xf32>
  return %p : tensor<5x7xf32>
}
