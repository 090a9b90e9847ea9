// RUN: mmtune-opt %s --convert-memcpy-to-gpu --split-input-file --verify-diagnostics
// RUN: not mmtune-opt %s --convert-memcpy-to-gpu --split-input-file -o /dev/null

module attributes {gpu.container_module} {
  func.func @not_outlined(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{gpu.launch is not outlined: run gpu-kernel-outlining before convert-memcpy-to-gpu}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4x4xf32, strided<[8, 1]>>) kernel {
      gpu.return
    }
  }
  func.func @strided_argument(%x: memref<4x4xf32, strided<[8, 1]>>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{a buffer of type 'memref<4x4xf32, strided<[8, 1]>>' cannot be moved to the device; copy it to a dense buffer first}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x4xf32, strided<[8, 1]>>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<4xf32>
      memref.store %v, %y[%i] : memref<4xf32>
      gpu.return
    }
  }
  func.func @maybe_the_same(%p: i1, %x: memref<4xf32>, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %z = arith.select %p, %x, %y : memref<4xf32>
    // expected-error @below {{memref operands #0 and #1 may be the same memory, and the kernel may write it: separate device copies would differ}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %z : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>) kernel {
      gpu.return
    }
  }
  func.func @already_asynchronous(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %t = gpu.wait async
    // expected-error @below {{an asynchronous operation takes a buffer that is not in device memory: run convert-memcpy-to-gpu before gpu-async-region}}
    %u = gpu.launch_func async [%t] @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    gpu.wait [%u]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32, 1>) kernel {
      gpu.return
    }
  }
  func.func @host_use_of_device_memory(%v: f32) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xf32, 1>
    memref.store %v, %x[%c1] : memref<4xf32, 1>
    // expected-error @below {{a buffer in device memory, of type 'memref<4xf32, 1>', is also used by the host}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32, 1>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<*xf32>) kernel {
      gpu.return
    }
  }
  func.func @unranked(%x: memref<*xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{an unranked memref cannot be moved to the device; cast it to a ranked one first}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<*xf32>)
    return
  }
}
