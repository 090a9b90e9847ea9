// Transcendental activations and clamp behind matmuls, as exporters write them; arguments are small integers.
func.func @gelu_of_torch(%a: tensor<20x16xf32>, %b: tensor<16x24xf32>) -> tensor<20x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<20x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x24xf32>) -> tensor<20x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<20x16xf32>, tensor<16x24xf32>) outs(%f : tensor<20x24xf32>) -> tensor<20x24xf32>
  %r = linalg.map ins(%p : tensor<20x24xf32>) outs(%e : tensor<20x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %x, %3 : f32
      linalg.yield %4 : f32
    }
  return %r : tensor<20x24xf32>
}
func.func @gelu_of_jax(%a: tensor<21x16xf32>, %b: tensor<16x24xf32>) -> tensor<21x24xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrth = arith.constant 0.707106769 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<21x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<21x24xf32>) -> tensor<21x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<21x16xf32>, tensor<16x24xf32>) outs(%f : tensor<21x24xf32>) -> tensor<21x24xf32>
  %r = linalg.map ins(%p : tensor<21x24xf32>) outs(%e : tensor<21x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.mulf %half, %x : f32
      %1 = arith.negf %x : f32
      %2 = arith.mulf %1, %sqrth : f32
      %3 = math.erfc %2 : f32
      %4 = arith.mulf %0, %3 : f32
      linalg.yield %4 : f32
    }
  return %r : tensor<21x24xf32>
}
func.func @gelu_tanh_of_torch(%a: tensor<22x16xf32>, %b: tensor<16x24xf32>) -> tensor<22x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %c3 = arith.constant 3 : i64
  %beta = arith.constant 4.471500e-02 : f32
  %alpha = arith.constant 7.977240e-01 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<22x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<22x24xf32>) -> tensor<22x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<22x16xf32>, tensor<16x24xf32>) outs(%f : tensor<22x24xf32>) -> tensor<22x24xf32>
  %r = linalg.map ins(%p : tensor<22x24xf32>) outs(%e : tensor<22x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = math.fpowi %x, %c3 : f32, i64
      %1 = arith.mulf %0, %beta : f32
      %2 = arith.addf %x, %1 : f32
      %3 = arith.mulf %2, %alpha : f32
      %4 = math.tanh %3 : f32
      %5 = arith.addf %4, %one : f32
      %6 = arith.mulf %5, %half : f32
      %7 = arith.mulf %x, %6 : f32
      linalg.yield %7 : f32
    }
  return %r : tensor<22x24xf32>
}
func.func @gelu_tanh_of_jax(%a: tensor<23x16xf32>, %b: tensor<16x24xf32>) -> tensor<23x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %beta = arith.constant 4.471500e-02 : f32
  %alpha = arith.constant 0.797884583 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<23x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<23x24xf32>) -> tensor<23x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<23x16xf32>, tensor<16x24xf32>) outs(%f : tensor<23x24xf32>) -> tensor<23x24xf32>
  %r = linalg.map ins(%p : tensor<23x24xf32>) outs(%e : tensor<23x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.mulf %x, %x : f32
      %1 = arith.mulf %0, %x : f32
      %2 = arith.mulf %beta, %1 : f32
      %3 = arith.addf %x, %2 : f32
      %4 = arith.mulf %alpha, %3 : f32
      %5 = math.tanh %4 : f32
      %6 = arith.addf %one, %5 : f32
      %7 = arith.mulf %half, %6 : f32
      %8 = arith.mulf %x, %7 : f32
      linalg.yield %8 : f32
    }
  return %r : tensor<23x24xf32>
}
func.func @silu(%a: tensor<24x16xf32>, %b: tensor<16x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<24x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<24x16xf32>, tensor<16x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = linalg.map ins(%p : tensor<24x24xf32>) outs(%e : tensor<24x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %one, %2 : f32
      %4 = arith.mulf %3, %x : f32
      linalg.yield %4 : f32
    }
  return %r : tensor<24x24xf32>
}
func.func @silu_as_a_quotient(%a: tensor<25x16xf32>, %b: tensor<16x24xf32>) -> tensor<25x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<25x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<25x24xf32>) -> tensor<25x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<25x16xf32>, tensor<16x24xf32>) outs(%f : tensor<25x24xf32>) -> tensor<25x24xf32>
  %r = linalg.map ins(%p : tensor<25x24xf32>) outs(%e : tensor<25x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %x, %2 : f32
      linalg.yield %3 : f32
    }
  return %r : tensor<25x24xf32>
}
func.func @clamp(%a: tensor<26x16xf32>, %b: tensor<16x24xf32>) -> tensor<26x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<26x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<26x24xf32>) -> tensor<26x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<26x16xf32>, tensor<16x24xf32>) outs(%f : tensor<26x24xf32>) -> tensor<26x24xf32>
  %r = linalg.map ins(%p : tensor<26x24xf32>) outs(%e : tensor<26x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.maximumf %low, %x : f32
      %1 = arith.minimumf %0, %high : f32
      linalg.yield %1 : f32
    }
  return %r : tensor<26x24xf32>
}
func.func @relu6(%a: tensor<27x16xf32>, %b: tensor<16x24xf32>) -> tensor<27x24xf32> {
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 6.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<27x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<27x24xf32>) -> tensor<27x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<27x16xf32>, tensor<16x24xf32>) outs(%f : tensor<27x24xf32>) -> tensor<27x24xf32>
  %r = linalg.map ins(%p : tensor<27x24xf32>) outs(%e : tensor<27x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.maximumf %x, %zero : f32
      %1 = arith.minimumf %0, %high : f32
      linalg.yield %1 : f32
    }
  return %r : tensor<27x24xf32>
}
func.func @clamp_by_selections(%a: tensor<28x16xf32>, %b: tensor<16x24xf32>) -> tensor<28x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<28x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<28x24xf32>) -> tensor<28x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<28x16xf32>, tensor<16x24xf32>) outs(%f : tensor<28x24xf32>) -> tensor<28x24xf32>
  %r = linalg.map ins(%p : tensor<28x24xf32>) outs(%e : tensor<28x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.cmpf ole, %x, %low : f32
      %1 = arith.select %0, %low, %x : f32
      %2 = arith.cmpf ugt, %high, %1 : f32
      %3 = arith.select %2, %1, %high : f32
      linalg.yield %3 : f32
    }
  return %r : tensor<28x24xf32>
}
func.func @clamp_of_torch(%a: tensor<29x16xf32>, %b: tensor<16x24xf32>) -> tensor<29x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<29x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<29x24xf32>) -> tensor<29x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<29x16xf32>, tensor<16x24xf32>) outs(%f : tensor<29x24xf32>) -> tensor<29x24xf32>
  %r = linalg.map ins(%p : tensor<29x24xf32>) outs(%e : tensor<29x24xf32>)
    (%y: f32, %old: f32) {
      %x = arith.mulf %y, %sixteenth : f32
      %0 = arith.cmpf ult, %x, %low : f32
      %1 = arith.select %0, %low, %x : f32
      %2 = arith.cmpf ugt, %1, %high : f32
      %3 = arith.select %2, %high, %1 : f32
      linalg.yield %3 : f32
    }
  return %r : tensor<29x24xf32>
}
func.func @tanh_of_a_difference(%a: tensor<30x16xf32>, %b: tensor<16x24xf32>, %y: tensor<30x24xf32>) -> tensor<30x24xf32> {
  %zero = arith.constant 0.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<30x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x24xf32>) -> tensor<30x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<30x16xf32>, tensor<16x24xf32>) outs(%f : tensor<30x24xf32>) -> tensor<30x24xf32>
  %r = linalg.map ins(%p, %y : tensor<30x24xf32>, tensor<30x24xf32>) outs(%e : tensor<30x24xf32>)
    (%x: f32, %u: f32, %old: f32) {
      %0 = arith.mulf %x, %sixteenth : f32
      %1 = arith.subf %0, %u : f32
      %2 = math.tanh %1 : f32
      linalg.yield %2 : f32
    }
  return %r : tensor<30x24xf32>
}
func.func @one_minus_the_other(%a: tensor<31x16xf32>, %b: tensor<16x24xf32>, %y: tensor<31x24xf32>) -> tensor<31x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<31x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<31x24xf32>) -> tensor<31x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<31x16xf32>, tensor<16x24xf32>) outs(%f : tensor<31x24xf32>) -> tensor<31x24xf32>
  %r = linalg.sub ins(%y, %p : tensor<31x24xf32>, tensor<31x24xf32>) outs(%e : tensor<31x24xf32>) -> tensor<31x24xf32>
  return %r : tensor<31x24xf32>
}
