// A global of i1 in a resource, a byte for each element, that nothing changes.
ml_program.global private @mask(dense_resource<bytes> : tensor<8xi1>) : tensor<8xi1>
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %m = ml_program.global_load_const @mask : tensor<8xi1>
  %e = tensor.empty() : tensor<8xf32>
  %n = linalg.negf ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.select ins(%m, %a, %n : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
{-#
  dialect_resources: { builtin: { bytes: "0x010000000100010001000101" } }
#-}
