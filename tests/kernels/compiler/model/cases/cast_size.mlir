// torch-mlir writes such a cast where both dimensions are dynamic and are to be one: it says that the second one is 1.
func.func @f(%x: tensor<?x?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %cast = tensor.cast %x : tensor<?x?x4xf32> to tensor<?x1x4xf32>
  %rows = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x4xf32> into tensor<?x4xf32>
  %n = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.exp ins(%rows : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
