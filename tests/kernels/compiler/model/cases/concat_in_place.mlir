// Halves swapped, the result written over what they were cut from, shifted by a row or in a sum: nothing may be read
// after it is overwritten.
func.func @f(%given: tensor<4x2xf32>, %more: tensor<6x2xf32>) -> (tensor<6x2xf32>, tensor<4x2xf32>) {
  %empty = tensor.empty() : tensor<4x2xf32>
  %six = tensor.empty() : tensor<6x2xf32>
  %x = linalg.exp ins(%more : tensor<6x2xf32>) outs(%six : tensor<6x2xf32>) -> tensor<6x2xf32>
  %y = linalg.negf ins(%given : tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %a = tensor.extract_slice %x[2, 0] [2, 2] [1, 1] : tensor<6x2xf32> to tensor<2x2xf32>
  %b = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<6x2xf32> to tensor<2x2xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %r = tensor.insert_slice %c into %x[1, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<6x2xf32>
  %d = tensor.extract_slice %y[2, 0] [2, 2] [1, 1] : tensor<4x2xf32> to tensor<2x2xf32>
  %e = tensor.extract_slice %y[0, 0] [2, 2] [1, 1] : tensor<4x2xf32> to tensor<2x2xf32>
  %g = tensor.concat dim(0) %d, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<4x2xf32>) outs(%y : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<4x2xf32>
  return %r, %s : tensor<6x2xf32>, tensor<4x2xf32>
}
