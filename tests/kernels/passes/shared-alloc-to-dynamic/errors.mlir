// RUN: mmtune-opt %s --shared-alloc-to-dynamic=max-bytes=49152 --split-input-file --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{needs 65792 bytes of shared memory (256 + 65536), more than the 49152 that a block can have}}
  gpu.func @too_much() kernel {
    %a = memref.alloc() : memref<64xf32, 3>
    %b = memref.alloc() : memref<128x128xf32, 3>
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
  gpu.func @taken() kernel {
    // expected-error @below {{the kernel already uses dynamic shared memory: its buffers cannot be placed beside it}}
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.alloc() : memref<64xf32, 3>
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
