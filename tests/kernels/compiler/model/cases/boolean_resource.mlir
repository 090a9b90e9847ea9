func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %m = arith.constant dense_resource<b> : tensor<8xi1>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a, %m : tensor<8xf32>, tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %c: i1, %o: f32):
    %n = arith.negf %x : f32
    %s = arith.select %c, %x, %n : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
{-#
  dialect_resources: { builtin: { b: "0x010000000100010001000101" } }
#-}
