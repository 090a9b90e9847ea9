// A global that the function counts up: its value outlives the call.
ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
func.func @f() -> tensor<i64> {
  %one = arith.constant dense<1> : tensor<i64>
  %old = ml_program.global_load @count : tensor<i64>
  %e = tensor.empty() : tensor<i64>
  %new = linalg.add ins(%old, %one : tensor<i64>, tensor<i64>) outs(%e : tensor<i64>) -> tensor<i64>
  ml_program.global_store @count = %new : tensor<i64>
  return %new : tensor<i64>
}
