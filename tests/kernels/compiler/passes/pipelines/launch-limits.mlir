// RUN: mmtune-opt %s --mmtune-to-gpu="device=cuda arch=sm_80" --split-input-file --verify-diagnostics
// RUN: mmtune-opt %s --mmtune-to-gpu="device=simt arch=sm_80" --split-input-file --verify-diagnostics

func.func @block(%a: memref<4096xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  // expected-error @below {{a block of (4096,1,1) threads: each extent must be 1 to (1024,1024,64) (compiled for sm_80)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4096, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

// Each extent is allowed, and the one that is not known is 1 at least.
func.func @threads(%a: memref<4096xf32>, %v: f32, %n: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  // expected-error @below {{2048 threads per block, but the device allows only 1024 (compiled for sm_80)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c64, %sz = %c32) {
    memref.store %v, %a[%ty] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @grid(%a: memref<4096xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c70000 = arith.constant 70000 : index
  // expected-error @below {{a grid of (1,70000,1) blocks: each extent must be 1 to (2147483647,65535,65535)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c70000, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @negative(%a: memref<4096xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %minus = arith.constant -5 : index
  // expected-error @below {{a block of -5 along x}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %minus, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @shared(%a: memref<4096xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 200000 : i32
  // expected-error @below {{200000 bytes of shared memory}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %bytes {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

// Nothing is launched.
func.func @no_blocks(%a: memref<4096xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c0, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

// Nothing is launched, whatever the block.
func.func @no_blocks_of_many_threads(%a: memref<4096xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c0, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4096, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @no_threads(%a: memref<4096xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{a block of (1,0,1) threads: each extent must be 1 to (1024,1024,64)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c0, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<4096xf32>
    gpu.terminator
  }
  return
}

// -----

// Never reached: no caller asks for it.
func.func private @launch_if(%a: memref<4096xf32>, %v: f32, %asked: i1) attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.if %asked {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4096, %sy = %c1, %sz = %c1) {
      memref.store %v, %a[%tx] : memref<4096xf32>
      gpu.terminator
    }
  }
  return
}
func.func @not_reached(%a: memref<4096xf32>, %v: f32) {
  %no = arith.constant false
  call @launch_if(%a, %v, %no) : (memref<4096xf32>, f32, i1) -> ()
  return
}

// -----

func.func private @launch_if(%a: memref<4096xf32>, %v: f32, %asked: i1) attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.if %asked {
    // expected-error @below {{a block of (4096,1,1) threads}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4096, %sy = %c1, %sz = %c1) {
      memref.store %v, %a[%tx] : memref<4096xf32>
      gpu.terminator
    }
  }
  return
}
func.func @reached(%a: memref<4096xf32>, %v: f32, %asked: i1) {
  %no = arith.constant false
  call @launch_if(%a, %v, %no) : (memref<4096xf32>, f32, i1) -> ()
  call @launch_if(%a, %v, %asked) : (memref<4096xf32>, f32, i1) -> ()
  return
}
