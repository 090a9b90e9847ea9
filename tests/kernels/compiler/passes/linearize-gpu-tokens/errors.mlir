// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens))' --split-input-file --verify-diagnostics

// expected-error @below {{a token cannot be an argument of a function: wait for it in the caller}}
func.func @argument(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}

// -----

func.func @returned() -> !gpu.async.token {
  %t = gpu.wait async
  // expected-error @below {{a token cannot be returned to the caller: wait for it before}}
  return %t : !gpu.async.token
}

// -----

func.func private @make() -> !gpu.async.token

func.func @from_a_call() {
  // expected-error @below {{'func.call' cannot take or return a !gpu.async.token}}
  %t = call @make() : () -> !gpu.async.token
  gpu.wait [%t]
  return
}

// -----

func.func @foreign_stream(%stream: !llvm.ptr) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' cannot take or return a !gpu.async.token}}
  %t = builtin.unrealized_conversion_cast %stream : !llvm.ptr to !gpu.async.token
  gpu.wait [%t]
  return
}

// -----

func.func @out_of_async_execute() {
  %done, %value = async.execute -> !async.value<!gpu.async.token> {
    %t = gpu.wait async
    // expected-error @below {{'async.yield' cannot take or return a !gpu.async.token}}
    async.yield %t : !gpu.async.token
  }
  %t = async.await %value : !async.value<!gpu.async.token>
  gpu.wait [%t]
  return
}

// -----

func.func @host_shared() {
  // expected-error @below {{a host_shared allocation cannot be asynchronous}}
  %d, %t = gpu.alloc async host_shared () : memref<16xf32>
  gpu.wait [%t]
  return
}

// -----

func.func @not_outlined(%n: index) {
  %t = gpu.wait async
  // expected-error @below {{gpu.launch is not outlined: run gpu-kernel-outlining before}}
  %u = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}
