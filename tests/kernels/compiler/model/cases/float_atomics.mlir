// Any atomic update of floats, in memory that all share, in that of a block, and on the host.
func.func @main(%f32s: memref<2xf32>, %f64s: memref<2xf64>, %f16s: memref<2xf16>, %bf16s: memref<4x2xbf16>,
                %of_block: memref<1xf32>, %old: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%x, %y, %z) in (%w = %c64, %h = %c1, %t = %c1)
      workgroup(%shared: memref<1xf32, #gpu.address_space<workgroup>>) {
    %k0 = arith.constant 0 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %at = arith.remui %x, %k2 : index
    %one = arith.constant 1.0 : f32
    %r0 = memref.generic_atomic_rmw %f32s[%at] : memref<2xf32> {
    ^bb0(%was: f32):
      %is = arith.addf %was, %one : f32
      memref.atomic_yield %is : f32
    }
    %r1 = memref.generic_atomic_rmw %f64s[%at] : memref<2xf64> {
    ^bb0(%was: f64):
      %less = arith.constant -0.5 : f64
      %is = arith.addf %was, %less : f64
      memref.atomic_yield %is : f64
    }
    %r2 = memref.generic_atomic_rmw %f16s[%at] : memref<2xf16> {
    ^bb0(%was: f16):
      %more = arith.constant 1.0 : f16
      %is = arith.addf %was, %more : f16
      memref.atomic_yield %is : f16
    }
    %r3 = memref.generic_atomic_rmw %bf16s[%k3, %at] : memref<4x2xbf16> {
    ^bb0(%was: bf16):
      %more = arith.constant 1.0 : bf16
      %is = arith.addf %was, %more : bf16
      memref.atomic_yield %is : bf16
    }
    %first = arith.cmpi eq, %x, %k0 : index
    scf.if %first {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %shared[%k0] : memref<1xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %r4 = memref.generic_atomic_rmw %shared[%k0] : memref<1xf32, #gpu.address_space<workgroup>> {
    ^bb0(%was: f32):
      %i = arith.index_cast %x : index to i32
      %number = arith.sitofp %i : i32 to f32
      %is = arith.maximumf %was, %number : f32
      memref.atomic_yield %is : f32
    }
    gpu.barrier
    scf.if %first {
      %all = memref.load %shared[%k0] : memref<1xf32, #gpu.address_space<workgroup>>
      memref.store %all, %of_block[%k0] : memref<1xf32>
    }
    gpu.terminator
  }
  %host = memref.generic_atomic_rmw %f32s[%c1] : memref<2xf32> {
  ^bb0(%was: f32):
    %twice = arith.addf %was, %was : f32
    memref.atomic_yield %twice : f32
  }
  memref.store %host, %old[%c0] : memref<1xf32>
  return
}
