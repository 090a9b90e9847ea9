// RUN: mmtune-opt %s --verify-device-placement --split-input-file --verify-diagnostics

func.func @nested(%a: memref<4xf32>, %v: f32, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @below {{a launch in a kernel: only host code launches kernels}}
    gpu.launch blocks(%bx2, %by2, %bz2) in (%gx2 = %n, %gy2 = %n, %gz2 = %n) threads(%tx2, %ty2, %tz2) in (%sx2 = %n, %sy2 = %n, %sz2 = %n) {
      memref.store %v, %a[%tx2] : memref<4xf32>
      gpu.terminator
    }
    gpu.terminator
  }
  return
}

// -----

func.func @allocation(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @below {{'gpu.alloc' is a host operation but is in a kernel}}
    %m = gpu.alloc () : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  gpu.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
    // expected-error @below {{'gpu.memcpy' is a host operation but is in a kernel}}
    gpu.memcpy %a, %b : memref<4xf32>, memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @heap() kernel {
    %shared = memref.alloc() : memref<4xf32, 3>
    %block = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
    memref.dealloc %shared : memref<4xf32, 3>
    // expected-error @below {{memory of type 'memref<4xf32>' would come from a heap in every thread of the kernel, and device code has none here}}
    %m = memref.alloc() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @free(%m: memref<4xf32>) kernel {
    // expected-error @below {{memory of type 'memref<4xf32>' would come from a heap}}
    memref.dealloc %m : memref<4xf32>
    gpu.return
  }
}

// -----

func.func @thread() -> index {
  // expected-error @below {{'gpu.thread_id' is a kernel operation but is in host code: move it into a gpu.launch}}
  %t = gpu.thread_id x
  return %t : index
}

// -----

func.func @nvvm() {
  // expected-error @below {{'nvvm.barrier0' is a kernel operation but is in host code}}
  nvvm.barrier0
  return
}

// -----

func.func @memset(%m: memref<4xf64>, %v: f64, %n: memref<4xf16>, %w: f16, %o: memref<4xi32>, %x: i32) {
  gpu.memset %n, %w : memref<4xf16>, f16
  gpu.memset %o, %x : memref<4xi32>, i32
  // expected-error @below {{gpu.memset writes values of 16 or 32 bits, and this is 'f64': fill the buffer by a kernel}}
  gpu.memset %m, %v : memref<4xf64>, f64
  return
}

// -----

// What host code has.
func.func @host(%m: memref<4xf32>) {
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  %t = gpu.wait async
  %d, %t1 = gpu.alloc async [%t] () : memref<4xf32>
  %t2 = gpu.memcpy async [%t1] %d, %m : memref<4xf32>, memref<4xf32>
  %t3 = gpu.dealloc async [%t2] %d : memref<4xf32>
  gpu.wait [%t3]
  gpu.host_unregister %u : memref<*xf32>
  %h = memref.alloc() : memref<4xf32>
  memref.dealloc %h : memref<4xf32>
  return
}

// -----

// Shared memory has no value to wait for.
gpu.module @kernels {
  memref.global "private" @shared : memref<4xf32, 3>
  memref.global "private" @own : memref<4xf32> = uninitialized
  // expected-error @below {{@elsewhere has no value and is a declaration, and nothing else defines globals of device code}}
  memref.global "private" @elsewhere : memref<4xf32>
}
