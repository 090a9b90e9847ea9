// RUN: mmtune-opt %s --normalize-memory-spaces=process-args=false | FileCheck %s

// CHECK-NOT: memref<{{.*}}, 1>
// CHECK-NOT: address_space<global>
// CHECK-LABEL: func.func @arguments(%{{.*}}: memref<4xf32>, %{{.*}}: memref<*xf32>) -> memref<4xf32>
func.func @arguments(%x: memref<4xf32, 1>, %y: memref<*xf32, #gpu.address_space<global>>) -> memref<4xf32, 1> {
  return %x : memref<4xf32, 1>
}

// CHECK-LABEL: func.func @allocated
// CHECK:         gpu.alloc () : memref<4xf32>
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}} : memref<4xf32>
// CHECK:           memref<4xf32, 3>
func.func @allocated(%v: f32) {
  %c1 = arith.constant 1 : index
  %x = gpu.alloc () : memref<4xf32, #gpu.address_space<global>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<4xf32, #gpu.address_space<global>>
    %shared = memref.alloc() : memref<4xf32, 3>
    memref.store %v, %shared[%tx] : memref<4xf32, 3>
    gpu.terminator
  }
  gpu.dealloc %x : memref<4xf32, #gpu.address_space<global>>
  return
}
