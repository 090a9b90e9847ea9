// Each load gives what was stored before it in the program, wherever its value is computed.
ml_program.global private mutable @s(dense<5> : tensor<i64>) : tensor<i64>
ml_program.global private mutable @h(dense<7> : tensor<i64>) : tensor<i64>
func.func @f() -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %k = arith.constant dense<3> : tensor<i64>
  %e = tensor.empty() : tensor<i64>
  %s0 = ml_program.global_load @s : tensor<i64>
  %n0 = linalg.mul ins(%s0, %k : tensor<i64>, tensor<i64>) outs(%e : tensor<i64>) -> tensor<i64>
  %n1 = linalg.mul ins(%n0, %k : tensor<i64>, tensor<i64>) outs(%e : tensor<i64>) -> tensor<i64>
  %old = ml_program.global_load @h : tensor<i64>
  ml_program.global_store @s = %n0 : tensor<i64>
  %s1 = ml_program.global_load @s : tensor<i64>
  ml_program.global_store @s = %n1 : tensor<i64>
  ml_program.global_store @h = %n1 : tensor<i64>
  func.call @g() : () -> ()
  %s2 = ml_program.global_load @s : tensor<i64>
  return %n0, %s1, %s2, %old, %n1 : tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>
}
func.func private @g() {
  %one = arith.constant dense<1> : tensor<i64>
  %e = tensor.empty() : tensor<i64>
  %s = ml_program.global_load @s : tensor<i64>
  %n = linalg.add ins(%s, %one : tensor<i64>, tensor<i64>) outs(%e : tensor<i64>) -> tensor<i64>
  ml_program.global_store @s = %n : tensor<i64>
  return
}
