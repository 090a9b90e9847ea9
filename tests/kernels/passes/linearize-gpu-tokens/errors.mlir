// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens))' --split-input-file --verify-diagnostics

func.func @carried_by_a_loop(%d: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  // expected-error @below {{a token of 'scf.for' cannot be put on one stream: wait for it before}}
  %t1 = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %t0) -> (!gpu.async.token) {
    %u = gpu.memset async [%t] %d, %v : memref<16xf32>, f32
    scf.yield %u : !gpu.async.token
  }
  gpu.wait [%t1]
  return
}

// -----

// expected-error @below {{a token that is a block argument cannot be put on one stream: wait for it in the block that makes it}}
func.func @argument(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}
