// RUN: mmtune-opt %s --convert-memcpy-to-gpu --split-input-file --verify-diagnostics | FileCheck %s

// What comes out of control flow is one of what went in: never another allocation, wherever it was made.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<4xf32>
      memref.store %v, %y[%i] : memref<4xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @between_branches(
  // CHECK:         gpu.launch_func @kernels::@f
  func.func @between_branches(%x: memref<4xf32>, %p: i1) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<4xf32>
    %in = scf.if %p -> (memref<4xf32>) {
      %new = memref.alloc() : memref<4xf32>
      memref.copy %x, %new : memref<4xf32> to memref<4xf32>
      scf.yield %new : memref<4xf32>
    } else {
      scf.yield %x : memref<4xf32>
    }
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<4xf32>, %out : memref<4xf32>)
    %result = scf.if %p -> (memref<4xf32>) {
      scf.yield %in : memref<4xf32>
    } else {
      scf.yield %out : memref<4xf32>
    }
    return %result : memref<4xf32>
  }

  // CHECK-LABEL: func.func @in_a_loop(
  // CHECK:         scf.for
  // CHECK:           gpu.launch_func @kernels::@f
  func.func @in_a_loop(%x: memref<4xf32>, %n: index, %p: i1) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<4xf32>
    %other = memref.alloc() : memref<4xf32>
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x) -> (memref<4xf32>) {
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%before : memref<4xf32>, %out : memref<4xf32>)
      memref.copy %out, %other : memref<4xf32> to memref<4xf32>
      scf.yield %other : memref<4xf32>
    }
    %result = arith.select %p, %end, %out : memref<4xf32>
    return %result : memref<4xf32>
  }

  // CHECK-LABEL: func.func @through_blocks(
  // CHECK:         gpu.launch_func @kernels::@f
  func.func @through_blocks(%x: memref<4xf32>, %p: i1) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<4xf32>
    %new = memref.alloc() : memref<4xf32>
    cf.cond_br %p, ^join(%x : memref<4xf32>), ^join(%new : memref<4xf32>)
  ^join(%in: memref<4xf32>):
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<4xf32>, %out : memref<4xf32>)
    %result = arith.select %p, %in, %out : memref<4xf32>
    return %result : memref<4xf32>
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

  // Both have been either, but never the same.
  func.func @swapped(%n: index, %p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xf32>
    %y = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %b : memref<4xf32>)
      scf.yield %b, %a : memref<4xf32>, memref<4xf32>
    }
    return
  }

  // The second turn has one buffer twice.
  func.func @joined(%n: index, %p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xf32>
    %y = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
      // expected-error @below {{memref operands #0 and #1 may be the same memory}}
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %b : memref<4xf32>)
      scf.yield %b, %b : memref<4xf32>, memref<4xf32>
    }
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

  // They were one buffer before the loop.
  func.func @given_twice(%n: index, %p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (memref<4xf32>, memref<4xf32>) {
      // expected-error @below {{memref operands #0 and #1 may be the same memory}}
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %b : memref<4xf32>)
      scf.yield %b, %a : memref<4xf32>, memref<4xf32>
    }
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

  // What a loop carries is what its turns yield, too.
  func.func @yielded(%x: memref<4xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xf32>) {
      // expected-error @below {{memref operands #0 and #1 may be the same memory}}
      gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %out : memref<4xf32>)
      scf.yield %out : memref<4xf32>
    }
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

  // A view, a cast and a branch away.
  func.func @hidden(%p: i1) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<2x2xf32>
    %y = memref.alloc() : memref<4xf32>
    %in = scf.if %p -> (memref<4xf32>) {
      %flat = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32> into memref<4xf32>
      scf.yield %flat : memref<4xf32>
    } else {
      scf.yield %y : memref<4xf32>
    }
    %unranked = memref.cast %in : memref<4xf32> to memref<*xf32>
    %again = memref.cast %unranked : memref<*xf32> to memref<4xf32>
    %whole = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32> into memref<4xf32>
    // expected-error @below {{memref operands #0 and #1 may be the same memory}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%again : memref<4xf32>, %whole : memref<4xf32>)
    return
  }
}

// -----

// A selection of device memory is device memory, used where it lies beside what it may be.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<4xf32>
      memref.store %v, %y[%i] : memref<4xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @selected_device_memory(
  // CHECK:         %[[A:.*]] = gpu.alloc () : memref<4xf32>
  // CHECK:         %[[S:.*]] = arith.select
  // CHECK-NOT:     gpu.memcpy
  // CHECK:         gpu.launch_func @kernels::@f {{.*}} args(%[[S]] : memref<4xf32>, %[[A]] : memref<4xf32>)
  // CHECK-NOT:     gpu.memcpy
  // CHECK:         return
  func.func @selected_device_memory(%p: i1) {
    %c1 = arith.constant 1 : index
    %a = gpu.alloc () : memref<4xf32>
    %b = gpu.alloc () : memref<4xf32>
    %s = arith.select %p, %a, %b : memref<4xf32>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<4xf32>, %a : memref<4xf32>)
    gpu.dealloc %a : memref<4xf32>
    gpu.dealloc %b : memref<4xf32>
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

  func.func @registered_or_not(%a: memref<4xf32>, %b: memref<4xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    %u = memref.cast %a : memref<4xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    %s = arith.select %p, %a, %b : memref<4xf32>
    // expected-error@+1 {{memref operands #0 and #1 may be the same memory}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<4xf32>, %a : memref<4xf32>)
    return
  }
}

// -----

// What a function elsewhere returns may be what it was given.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<4xf32>
      memref.store %v, %y[%i] : memref<4xf32>
      gpu.return
    }
  }
  func.func private @elsewhere(memref<4xf32>) -> memref<4xf32>

  func.func @given_back(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %s = call @elsewhere(%a) : (memref<4xf32>) -> memref<4xf32>
    // expected-error@+1 {{memref operands #0 and #1 may be the same memory}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : memref<4xf32>, %a : memref<4xf32>)
    return
  }
}

// -----

func.func @returned() -> memref<4xf32> {
  %a = gpu.alloc host_shared () : memref<4xf32>
  // expected-error@+1 {{device memory is returned, but callers expect host memory}}
  return %a : memref<4xf32>
}

// -----

func.func @freed() {
  %a = gpu.alloc () : memref<4xf32>
  // expected-error@+1 {{device memory is freed as host memory: free it with gpu.dealloc}}
  memref.dealloc %a : memref<4xf32>
  return
}
