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

#tiled = affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4x4xf32, #tiled>) kernel {
      gpu.return
    }
  }
  func.func @tiled_layout(%x: memref<4x4xf32, #tiled>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be moved to the device: its elements are not at fixed distances; copy it to a dense buffer first}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x4xf32, #tiled>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32, strided<[-1], offset: 3>>) kernel {
      gpu.return
    }
  }
  func.func @backwards(%x: memref<4xf32, strided<[-1], offset: 3>>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{a buffer of type 'memref<4xf32, strided<[-1], offset: 3>>' cannot be moved to the device: it has a negative stride; copy it to a dense buffer first}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32, strided<[-1], offset: 3>>)
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
  func.func private @passed_one_buffer_twice(%x: memref<4xf32>, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{memref operands #0 and #1 may be the same memory, and the kernel may write it: separate device copies would differ}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %y : memref<4xf32>)
    return
  }
  func.func @caller(%x: memref<4xf32>, %y: memref<4xf32>) {
    call @passed_one_buffer_twice(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    call @passed_one_buffer_twice(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
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
  memref.global @state : memref<4xf32> = dense<0.0>
  func.func private @passed_a_global(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %state = memref.get_global @state : memref<4xf32>
    // expected-error @below {{memref operands #0 and #1 may be the same memory, and the kernel may write it: separate device copies would differ}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %state : memref<4xf32>)
    return
  }
  func.func @caller() {
    %state = memref.get_global @state : memref<4xf32>
    call @passed_a_global(%state) : (memref<4xf32>) -> ()
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
  func.func private @same(%x: memref<4xf32>) -> memref<4xf32> {
    return %x : memref<4xf32>
  }
  func.func @returned_by_a_call(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %y = call @same(%x) : (memref<4xf32>) -> memref<4xf32>
    // expected-error @below {{memref operands #0 and #1 may be the same memory, and the kernel may write it: separate device copies would differ}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %y : memref<4xf32>)
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
  func.func private @twice(%p: i1, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %c = arith.select %p, %a, %b : memref<4xf32>
    return %a, %c : memref<4xf32>, memref<4xf32>
  }
  func.func @results_of_one_call(%p: i1, %b: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %r:2 = call @twice(%p, %b) : (i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
    // expected-error @below {{memref operands #0 and #1 may be the same memory, and the kernel may write it: separate device copies would differ}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%r#0 : memref<4xf32>, %r#1 : memref<4xf32>)
    return
  }
}
