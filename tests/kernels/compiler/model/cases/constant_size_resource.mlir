func.func @forward(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense_resource<w> : tensor<4xf32>
  return %c : tensor<4xf32>
}
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F0000803F0000803F" } }
#-}
