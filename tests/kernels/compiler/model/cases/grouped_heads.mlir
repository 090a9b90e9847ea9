#kv = affine_map<(b, h, n, i, d) -> (b, h, i, d)>
#all = affine_map<(b, h, n, i, d) -> (b, h, n, i, d)>
#mask = affine_map<(b, h, i, j) -> (i, j)>
#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
// Two heads of queries share one of keys and values: both are read where they lie, by all queries of theirs at once.
func.func @forward(%q: tensor<2x4x5x6xf32>, %k: tensor<2x2x5x6xf32>, %v: tensor<2x5x2x6xf32>, %m: tensor<5x5xf32>) -> tensor<10x24xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e5 = tensor.empty() : tensor<2x2x2x5x6xf32>
  %kr = linalg.generic {indexing_maps = [#kv, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<2x2x5x6xf32>) outs(%e5 : tensor<2x2x2x5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x2x5x6xf32>
  %kc = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x2x2x5x6xf32> into tensor<2x4x5x6xf32>
  %et = tensor.empty() : tensor<2x4x6x5xf32>
  %kt = linalg.transpose ins(%kc : tensor<2x4x5x6xf32>) outs(%et : tensor<2x4x6x5xf32>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x5x6xf32> into tensor<8x5x6xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x4x6x5xf32> into tensor<8x6x5xf32>
  %es = tensor.empty() : tensor<8x5x5xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x5x5xf32>) -> tensor<8x5x5xf32>
  %s = linalg.batch_matmul ins(%q3, %k3 : tensor<8x5x6xf32>, tensor<8x6x5xf32>) outs(%fs : tensor<8x5x5xf32>) -> tensor<8x5x5xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 5, 5] : tensor<8x5x5xf32> into tensor<2x4x5x5xf32>
  %e4 = tensor.empty() : tensor<2x4x5x5xf32>
  %w = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %m : tensor<2x4x5x5xf32>, tensor<5x5xf32>) outs(%e4 : tensor<2x4x5x5xf32>) {
  ^bb0(%in: f32, %y: f32, %out: f32):
    %a = arith.mulf %in, %half : f32
    %b = arith.addf %a, %y : f32
    linalg.yield %b : f32
  } -> tensor<2x4x5x5xf32>
  %p = linalg.softmax dimension(3) ins(%w : tensor<2x4x5x5xf32>) outs(%e4 : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %ev = tensor.empty() : tensor<2x2x5x6xf32>
  %vt = linalg.transpose ins(%v : tensor<2x5x2x6xf32>) outs(%ev : tensor<2x2x5x6xf32>) permutation = [0, 2, 1, 3]
  %vr = linalg.generic {indexing_maps = [#kv, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%vt : tensor<2x2x5x6xf32>) outs(%e5 : tensor<2x2x2x5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x2x5x6xf32>
  %v3 = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<2x2x2x5x6xf32> into tensor<8x5x6xf32>
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x5x5xf32> into tensor<8x5x5xf32>
  %eo = tensor.empty() : tensor<8x5x6xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x5x6xf32>) -> tensor<8x5x6xf32>
  %o = linalg.batch_matmul ins(%p3, %v3 : tensor<8x5x5xf32>, tensor<8x5x6xf32>) outs(%fo : tensor<8x5x6xf32>) -> tensor<8x5x6xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 4, 5, 6] : tensor<8x5x6xf32> into tensor<2x4x5x6xf32>
  %ep = tensor.empty() : tensor<2x5x4x6xf32>
  %ot = linalg.transpose ins(%o4 : tensor<2x4x5x6xf32>) outs(%ep : tensor<2x5x4x6xf32>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0, 1], [2, 3]] : tensor<2x5x4x6xf32> into tensor<10x24xf32>
  return %r : tensor<10x24xf32>
}
