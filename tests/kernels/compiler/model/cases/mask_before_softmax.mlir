// Scores of heads, a mask and a softmax: between the product, over one dimension of heads, and the softmax, over two,
// torch-mlir writes a reshape. A product and one kernel.
#id = affine_map<(a, h, i, j) -> (a, h, i, j)>
#row = affine_map<(a, h, i, j) -> (a, h, i, 0)>
#mask = affine_map<(a, h, i, j) -> (i, j)>
func.func @forward(%q: tensor<6x9x12xf32>, %k: tensor<6x12x9xf32>, %m: tensor<9x9xf32>) -> tensor<2x3x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<6x9x9xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<6x9x9xf32>) -> tensor<6x9x9xf32>
  %p = linalg.batch_matmul ins(%q, %k : tensor<6x9x12xf32>, tensor<6x12x9xf32>) outs(%fs : tensor<6x9x9xf32>) -> tensor<6x9x9xf32>
  %x = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 3, 9, 9] : tensor<6x9x9xf32> into tensor<2x3x9x9xf32>
  %e = tensor.empty() : tensor<2x3x9x9xf32>
  %er = tensor.empty() : tensor<2x3x9x1xf32>
  %masked = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %m : tensor<2x3x9x9xf32>, tensor<9x9xf32>) outs(%e : tensor<2x3x9x9xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.addf %in, %y : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x9x9xf32>
  %f = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x9x1xf32>) -> tensor<2x3x9x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x9x9xf32>) outs(%f : tensor<2x3x9x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x9x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x9x9xf32>, tensor<2x3x9x1xf32>) outs(%e : tensor<2x3x9x9xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.subf %in, %y : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x9x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x9x1xf32>) -> tensor<2x3x9x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x3x9x9xf32>) outs(%z : tensor<2x3x9x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x9x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x3x9x9xf32>, tensor<2x3x9x1xf32>) outs(%e : tensor<2x3x9x9xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %0 = arith.divf %in, %y : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x9x9xf32>
  return %r : tensor<2x3x9x9xf32>
}
