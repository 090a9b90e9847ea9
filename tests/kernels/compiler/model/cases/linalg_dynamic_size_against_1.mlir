// As torch-mlir 20261001 writes a layer norm in front of a linear layer, where batch and length are both dynamic (gpt_seq): the
// cast ?x?x4 -> ?x1x4 is folded into the operation's output.
func.func @f(%a: tensor<?x?x4xf32>) -> tensor<?x1x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x4xf32>
  %e = tensor.empty(%n) : tensor<?x1x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<?x?x4xf32>) outs(%e : tensor<?x1x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x1x4xf32>
  return %r : tensor<?x1x4xf32>
}
