// RUN: mmtune-opt %s -shared-alloc-to-dynamic=apart=true -split-input-file | FileCheck %s

// For race detection: attributions stay, allocations become attributions, and none share bytes.

// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME: %[[IN:.*]]: memref<64xf32>
// CHECK-SAME: workgroup(%[[FIRST:[a-z0-9]+]] : memref<64xf32, #gpu.address_space<workgroup>> {llvm.align = 128 : i64}
// CHECK-SAME: %[[SECOND:[a-z0-9]+]] : memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 256 : i64}
// CHECK-NOT: gpu.dynamic_shared_memory
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[FIRST]]
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[SECOND]]
// CHECK-NOT: memref.dealloc
// CHECK: gpu.return
// CHECK: gpu.launch_func
// CHECK-NOT: dynamic_shared_memory_size
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%in: memref<64xf32>) workgroup(%first: memref<64xf32, 3>) kernel {
      %x = gpu.thread_id x
      %value = memref.load %in[%x] : memref<64xf32>
      memref.store %value, %first[%x] : memref<64xf32, 3>
      gpu.barrier
      %second = memref.alloc() {alignment = 256 : i64} : memref<32xf32, 3>
      memref.store %value, %second[%x] : memref<32xf32, 3>
      memref.dealloc %second : memref<32xf32, 3>
      gpu.return
    }
  }
  func.func @launch(%in: memref<64xf32>) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%in : memref<64xf32>)
    return
  }
}

// -----

// An iteration of a loop is still kept behind the one before: it is the same memory, which begins anew.

// CHECK-LABEL: gpu.func @turns
// CHECK-SAME: workgroup(%[[BUFFER:[a-z0-9]+]] :
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK-NEXT: %[[ADDRESS:.*]] = arith.index_castui %[[INDEX]] : index to i64
// CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<3>
// CHECK-NEXT: llvm.intr.lifetime.start %[[POINTER]] : !llvm.ptr<3>
// CHECK-NEXT: memref.store
gpu.module @kernels {
  gpu.func @turns(%in: memref<64xf32>) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %value = arith.constant 1.0 : f32
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<64xf32, 3>
      memref.store %value, %buffer[%i] : memref<64xf32, 3>
    }
    gpu.return
  }
}

// -----

// The buffer begins behind the barrier that separates the turns.

// CHECK-LABEL: gpu.func @barrier_behind_the_allocation
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK: llvm.intr.lifetime.start
// CHECK-NEXT: memref.store
gpu.module @kernels {
  gpu.func @barrier_behind_the_allocation(%in: memref<64xf32>) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %value = arith.constant 1.0 : f32
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<64xf32, 3>
      gpu.barrier
      memref.store %value, %buffer[%i] : memref<64xf32, 3>
    }
    gpu.return
  }
}
