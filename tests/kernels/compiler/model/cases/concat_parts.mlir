// Parts that are joined: turned, computed, cut out (backwards, too), of one element, and of dynamic rows; joined again and padded.
#id = affine_map<(a, b) -> (a, b)>
#turned = affine_map<(a, b) -> (b, a)>
func.func @f(%x: tensor<?x6xf32>, %y: tensor<6x4xf32>, %z: tensor<4x6xf32>, %i: tensor<1xi32>, %j: tensor<3xi32>)
    -> (tensor<?x13xf32>, tensor<4x14xf32>, tensor<9x6xf32>, tensor<4xi32>, tensor<4x6xf32>, tensor<6x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  // Dynamic rows: halves swapped and negated, and a part as it is.
  %left = tensor.extract_slice %x[0, 0] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
  %odd = tensor.extract_slice %x[0, 1] [%n, 3] [1, 2] : tensor<?x6xf32> to tensor<?x3xf32>
  %ex = tensor.empty(%n) : tensor<?x3xf32>
  %minus = linalg.negf ins(%odd : tensor<?x3xf32>) outs(%ex : tensor<?x3xf32>) -> tensor<?x3xf32>
  %last = tensor.extract_slice %x[0, 5] [%n, 1] [1, 1] : tensor<?x6xf32> to tensor<?x1xf32>
  %a = tensor.concat dim(1) %minus, %left, %last, %x : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x1xf32>, tensor<?x6xf32>) -> tensor<?x13xf32>
  // A turned tensor that three read: two of them in bodies, one of which computes.
  %e46 = tensor.empty() : tensor<4x6xf32>
  %t = linalg.transpose ins(%y : tensor<6x4xf32>) outs(%e46 : tensor<4x6xf32>) permutation = [1, 0]
  %cut = tensor.extract_slice %t[0, 4] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %sum = linalg.add ins(%t, %z : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e46 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = tensor.concat dim(1) %cut, %sum, %t : (tensor<4x2xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  %e414 = tensor.empty() : tensor<4x14xf32>
  %b2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x14xf32>) outs(%e414 : tensor<4x14xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %two : f32
    linalg.yield %r : f32
  } -> tensor<4x14xf32>
  // Joined along rows, joined again, and padded.
  %p = tensor.concat dim(0) %t, %z : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %q = tensor.pad %p low[1, 0] high[0, 0] {
  ^bb0(%r: index, %c: index):
    tensor.yield %two : f32
  } : tensor<8x6xf32> to tensor<9x6xf32>
  %k = tensor.concat dim(0) %i, %j : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
  // Who reads a joined tensor twice, turned as well: it is made once.
  %d = tensor.concat dim(1) %z, %cut : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %d1 = tensor.extract_slice %d[0, 1] [4, 6] [1, 1] : tensor<4x8xf32> to tensor<4x6xf32>
  %d2 = linalg.add ins(%d1, %z : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e46 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e64 = tensor.empty() : tensor<6x4xf32>
  %d3 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%d2 : tensor<4x6xf32>) outs(%e64 : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x4xf32>
  return %a, %b2, %q, %k, %d2, %d3 : tensor<?x13xf32>, tensor<4x14xf32>, tensor<9x6xf32>, tensor<4xi32>, tensor<4x6xf32>, tensor<6x4xf32>
}
