// RUN: mmtune-opt %s --shared-alloc-to-dynamic=max-bytes=49152 --split-input-file --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{needs 65792 bytes of shared memory (256 + 65536), more than the 49152 that a block can have}}
  gpu.func @too_much(%v: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-note @below {{256 bytes at offset 65536, of type 'memref<64xf32, #gpu.address_space<workgroup>>'}}
    %a = memref.alloc() : memref<64xf32, 3>
    // expected-note @below {{65536 bytes at offset 0, of type 'memref<128x128xf32, #gpu.address_space<workgroup>>'}}
    %b = memref.alloc() : memref<128x128xf32, 3>
    memref.store %v, %a[%c0] : memref<64xf32, 3>
    memref.store %v, %b[%c0, %c0] : memref<128x128xf32, 3>
    %x = memref.load %a[%c0] : memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @dynamic(%n: index) kernel {
    // expected-error @below {{a shared buffer of type 'memref<?xf32, #gpu.address_space<workgroup>>' has no constant size}}
    %a = memref.alloc(%n) : memref<?xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{uses dynamic shared memory, and has 65536 bytes of shared buffers beside it; at most 49152 are possible}}
  gpu.func @taken() kernel {
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.alloc() : memref<16384xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @helper() {
    // expected-error @below {{shared memory is allocated in a function that is no kernel: inline it first}}
    %a = memref.alloc() : memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func @helper() {
    // expected-error @below {{shared memory is allocated in a function that is no kernel: inline it first}}
    %a = memref.alloca() : memref<64xf32, 3>
    return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{shared memory is allocated in a function that is no kernel: inline it first}}
  gpu.func @helper() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @aligned() kernel {
    // expected-error @below {{shared memory is aligned to 1024 bytes, not to 2048}}
    %a = memref.alloc() {alignment = 2048 : i64} : memref<64xf32, 3>
    gpu.return
  }
}

// -----

// Threads make different numbers of turns, so that no barrier can keep them apart.
gpu.module @kernels {
  gpu.func @different_turns(%v: f32, %n: index) kernel {
    %t = gpu.thread_id x
    %threads = gpu.block_dim x
    scf.for %i = %t to %n step %threads {
      // expected-error @below {{a shared buffer is allocated in a loop or branch that threads of a block may execute differently, so that no barrier can be placed between its iterations: allocate it outside of the loop}}
      %a = memref.alloc() : memref<64xf32, 3>
      memref.store %v, %a[%t] : memref<64xf32, 3>
    }
    gpu.return
  }
}

// -----

// What a turn allocates is still used in the next, which would get the same memory.
gpu.module @kernels {
  gpu.func @carried(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = memref.alloc() : memref<64xf32, 3>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%previous = %first) -> (memref<64xf32, 3>) {
      %a = memref.alloc() : memref<64xf32, 3>
      %x = memref.load %previous[%c0] : memref<64xf32, 3>
      memref.store %x, %a[%c0] : memref<64xf32, 3>
      // expected-error @below {{a shared buffer that is allocated in a loop escapes here (as by a yield, branch, select, call or store), so its last use is unknown: allocate it outside of the loop}}
      scf.yield %a : memref<64xf32, 3>
    }
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%v: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, 3>
      memref.store %v, %a[%t] : memref<64xf32, 3>
      gpu.return
    }
  }
  func.func @too_little(%v: f32) {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 128 : i32
    // expected-error @below {{gives the kernel 128 bytes of dynamic shared memory, but it needs 256}}
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%v : f32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%v: f32) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, 3>
      memref.store %v, %a[%t] : memref<64xf32, 3>
      gpu.return
    }
  }
  func.func @more_than_there_is(%v: f32) {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 81920 : i32
    // expected-error @below {{gives the kernel 81920 bytes of shared memory, more than the 49152 that a block can have}}
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%v : f32)
    return
  }
}

// -----

gpu.module @kernels {
  gpu.func @late(%x: f32, %i: index) kernel {
    %buffer = memref.alloc() : memref<64xf32, 3>
    // expected-note @below {{deallocated here}}
    memref.dealloc %buffer : memref<64xf32, 3>
    // expected-error @below {{uses a shared buffer that has been deallocated}}
    memref.store %x, %buffer[%i] : memref<64xf32, 3>
    gpu.return
  }
}
