// Products on tensors. Arguments hold small integers, so every order of summation gives the same f32.

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

// Two layers: a fused epilogue whose problem is in the spec, and a product that is not.
func.func @layers(%x: tensor<50x64xf32>, %w1: tensor<64x96xf32>, %bias: tensor<96xf32>, %w2: tensor<96x40xf32>) -> tensor<50x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<50x96xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<50x96xf32>) -> tensor<50x96xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<50x64xf32>, tensor<64x96xf32>) outs(%z1 : tensor<50x96xf32>) -> tensor<50x96xf32>
  %h = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p1, %bias : tensor<50x96xf32>, tensor<96xf32>) outs(%e1 : tensor<50x96xf32>) {
  ^bb0(%p: f32, %b: f32, %old: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<50x96xf32>
  %e2 = tensor.empty() : tensor<50x40xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<50x40xf32>) -> tensor<50x40xf32>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<50x96xf32>, tensor<96x40xf32>) outs(%z2 : tensor<50x40xf32>) -> tensor<50x40xf32>
  return %p2 : tensor<50x40xf32>
}

// The consumer is not an epilogue, as the product is returned too.
func.func @product_and_sum(%x: tensor<33x17xf32>, %w: tensor<17x65xf32>, %other: tensor<33x65xf32>) -> (tensor<33x65xf32>, tensor<33x65xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x65xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<33x65xf32>) -> tensor<33x65xf32>
  %p = linalg.matmul ins(%x, %w : tensor<33x17xf32>, tensor<17x65xf32>) outs(%z : tensor<33x65xf32>) -> tensor<33x65xf32>
  %s = linalg.add ins(%p, %other : tensor<33x65xf32>, tensor<33x65xf32>) outs(%e : tensor<33x65xf32>) -> tensor<33x65xf32>
  return %p, %s : tensor<33x65xf32>, tensor<33x65xf32>
}
