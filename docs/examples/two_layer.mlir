// y = relu(x * w1 + b1) * w2: two layers of a network, as linear algebra on tensors.

#matrix = affine_map<(row, column) -> (row, column)>
#vector = affine_map<(row, column) -> (column)>

func.func @forward(%x: tensor<32x64xf32>, %w1: tensor<64x48xf32>, %b1: tensor<48xf32>, %w2: tensor<48x16xf32>)
    -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32

  %hidden_empty = tensor.empty() : tensor<32x48xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<32x48xf32>) -> tensor<32x48xf32>
  %product = linalg.matmul ins(%x, %w1 : tensor<32x64xf32>, tensor<64x48xf32>)
                           outs(%hidden_zero : tensor<32x48xf32>) -> tensor<32x48xf32>
  %hidden = linalg.generic {indexing_maps = [#matrix, #vector, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%product, %b1 : tensor<32x48xf32>, tensor<48xf32>) outs(%hidden_empty : tensor<32x48xf32>) {
  ^bb0(%value: f32, %bias: f32, %unused: f32):
    %biased = arith.addf %value, %bias : f32
    %positive = arith.maximumf %biased, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<32x48xf32>

  %y_empty = tensor.empty() : tensor<32x16xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<32x16xf32>) -> tensor<32x16xf32>
  %y = linalg.matmul ins(%hidden, %w2 : tensor<32x48xf32>, tensor<48x16xf32>)
                     outs(%y_zero : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}
