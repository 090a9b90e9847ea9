// RUN: mmtune-opt %s --assign-gpu-streams --split-input-file --verify-diagnostics
// RUN: not mmtune-opt %s --assign-gpu-streams=max-streams=0 2>&1 | FileCheck %s
// CHECK: error: max-streams must be at least 1

// expected-error @below {{a token cannot be an argument of a function: wait for it in the caller}}
func.func @argument(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}

// -----

func.func @foreign_stream(%d: memref<16xf32>, %v: f32, %stream: !llvm.ptr) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' cannot take or return a !gpu.async.token}}
  %t = builtin.unrealized_conversion_cast %stream : !llvm.ptr to !gpu.async.token
  gpu.memset [%t] %d, %v : memref<16xf32>, f32
  return
}

// -----

// The body may run after the function has returned.
func.func @beside_the_host(%d: memref<16xf32>, %v: f32) {
  %done = async.execute {
    // expected-error @below {{a device operation inside 'async.execute' cannot use the streams of the function around it: use linearize-gpu-tokens}}
    gpu.memset %d, %v : memref<16xf32>, f32
    async.yield
  }
  async.await %done : !async.token
  return
}

// -----

// expected-error @below {{'mgpuStreamCreate' is a function of the GPU runtime: it must be an llvm.func of '!llvm.func<ptr ()>'}}
func.func private @mgpuStreamCreate(i32)

func.func @other_runtime(%d: memref<16xf32>, %v: f32) {
  gpu.memset %d, %v : memref<16xf32>, f32
  return
}
