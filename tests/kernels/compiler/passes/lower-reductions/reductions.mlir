// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(lower-reductions))' --split-input-file | FileCheck %s

// A tree over the block: 48 threads are halves of 32, 16, 8, 4, 2 and 1. No lane counts on what another of its warp does.

// CHECK-LABEL: gpu.func @block
// CHECK-SAME: workgroup(%[[BUFFER:[a-z0-9]+]] : memref<48xf32, #gpu.address_space<workgroup>>)
// CHECK-NOT: gpu.all_reduce
// CHECK: memref.store %{{.*}}, %[[BUFFER]]
// CHECK-NEXT: gpu.barrier
// CHECK: %[[LEVELS:.*]] = arith.constant 6 : index
// CHECK: scf.for %[[LEVEL:.*]] = %{{.*}} to %[[LEVELS]]
// CHECK: %[[FIRST:.*]] = arith.constant 32 : index
// CHECK: arith.shrui %[[FIRST]], %[[LEVEL]]
// CHECK: scf.if
// CHECK: arith.addf
// CHECK: memref.store %{{.*}}, %[[BUFFER]]
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK: }
// CHECK: memref.load %[[BUFFER]]
// CHECK-NEXT: gpu.barrier
gpu.module @kernels {
  gpu.func @block(%out: memref<1xf32>, %v: f32) kernel attributes {known_block_size = array<i32: 16, 3, 1>} {
    %zero = arith.constant 0 : index
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    memref.store %sum, %out[%zero] : memref<1xf32>
    gpu.return
  }
}

// -----

// Blocks of unknown size may have 1024 threads. A region says what is combined.

// CHECK-LABEL: gpu.func @region
// CHECK-SAME: memref<1024xi32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: %[[A:.*]] = memref.load
// CHECK: %[[B:.*]] = memref.load
// CHECK: %[[BOTH:.*]] = arith.ori %[[A]], %[[B]]
// CHECK: arith.maxsi %[[BOTH]], %[[A]]
gpu.module @kernels {
  gpu.func @region(%out: memref<1xi32>, %v: i32) kernel {
    %zero = arith.constant 0 : index
    %all = gpu.all_reduce %v {
    ^bb(%a: i32, %b: i32):
      %both = arith.ori %a, %b : i32
      %max = arith.maxsi %both, %a : i32
      gpu.yield %max : i32
    } : (i32) -> (i32)
    memref.store %all, %out[%zero] : memref<1xi32>
    gpu.return
  }
}

// -----

// All of one type share a buffer.

// CHECK-LABEL: gpu.func @several
// CHECK-SAME: workgroup(%[[I32:[a-z0-9]+]] : memref<64xi32, #gpu.address_space<workgroup>>, %[[F16:[a-z0-9]+]] : memref<64xf16, #gpu.address_space<workgroup>>)
// CHECK: arith.addi
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.minnumf
gpu.module @kernels {
  gpu.func @several(%out: memref<1xi32>, %v: i32, %h: f16) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %a = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
    %b = gpu.all_reduce mul %a uniform {} : (i32) -> (i32)
    %c = gpu.all_reduce minnumf %h uniform {} : (f16) -> (f16)
    memref.store %b, %out[%zero] : memref<1xi32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @warp
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: gpu.shuffle xor %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-LABEL: gpu.func @clusters
// CHECK-COUNT-3: gpu.shuffle xor %{{.*}} : f16
// CHECK-NOT: gpu.shuffle
// CHECK-LABEL: gpu.func @wide
// CHECK: arith.constant 4 : i32
// CHECK: gpu.shuffle xor %{{.*}} : vector<2xf64>
// CHECK: arith.addf %{{.*}} : vector<2xf64>
// CHECK: arith.constant 8 : i32
// CHECK: gpu.shuffle xor %{{.*}} : vector<2xf64>
// CHECK-NOT: gpu.shuffle
gpu.module @kernels {
  gpu.func @warp(%out: memref<1xf32>, %v: f32) kernel {
    %zero = arith.constant 0 : index
    %sum = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %sum, %out[%zero] : memref<1xf32>
    gpu.return
  }
  gpu.func @clusters(%out: memref<1xf16>, %v: f16) kernel attributes {known_block_size = array<i32: 72, 1, 1>} {
    %zero = arith.constant 0 : index
    %sum = gpu.subgroup_reduce add %v cluster(size = 8) : (f16) -> f16
    memref.store %sum, %out[%zero] : memref<1xf16>
    gpu.return
  }
  gpu.func @wide(%out: memref<1xvector<2xf64>>, %v: vector<2xf64>) kernel {
    %zero = arith.constant 0 : index
    %sum = gpu.subgroup_reduce add %v cluster(size = 4, stride = 4) : (vector<2xf64>) -> vector<2xf64>
    memref.store %sum, %out[%zero] : memref<1xvector<2xf64>>
    gpu.return
  }
}
