// What a kernel does with its parameters, read off its body: what is only read is not copied back.
// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    llvm.func @gemm(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
      %a1 = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<1>
      %from = llvm.getelementptr %a1[%one] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      nvvm.cp.async.shared.global %s, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      %bv = llvm.load %b : !llvm.ptr -> f32
      %p = llvm.getelementptr %c[%one] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %old = llvm.atomicrmw fadd %p, %bv syncscope("device") monotonic : !llvm.ptr, f32
      llvm.return
    }
    // A pointer that is kept, or meets control flow, may be used in any way.
    llvm.func @escapes(%a: !llvm.ptr, %b: !llvm.ptr, %p: i1) attributes {gpu.kernel, nvvm.kernel} {
      %x = llvm.select %p, %a, %b : i1, !llvm.ptr
      %v = llvm.load %x : !llvm.ptr -> f32
      llvm.return
    }
    gpu.func @vectors(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %v = vector.transfer_read %a[%i], %zero : memref<64xf32>, vector<4xf32>
      %half = memref.subview %b[0] [32] [1] : memref<64xf32> to memref<32xf32>
      vector.store %v, %half[%i] : memref<32xf32>, vector<4xf32>
      gpu.return
    }
    // Inside loops and branches, and by operations with regions of their own.
    gpu.func @nested(%a: memref<64xf32>, %b: memref<64xf32>, %p: i1) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        scf.if %p {
          %v = memref.load %a[%i] : memref<64xf32>
          memref.store %v, %b[%i] : memref<64xf32>
        }
      }
      gpu.return
    }
    gpu.func @structured(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        linalg.yield %x : f32
      }
      gpu.return
    }
    // Out of control flow, either may be written.
    gpu.func @chosen(%a: memref<64xf32>, %b: memref<64xf32>, %p: i1, %v: f32) kernel {
      %i = gpu.thread_id x
      %x = scf.if %p -> memref<64xf32> {
        scf.yield %a : memref<64xf32>
      } else {
        scf.yield %b : memref<64xf32>
      }
      memref.store %v, %x[%i] : memref<64xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @run_gemm(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>, %[[C:.*]]: memref<64xf32>)
  // CHECK:       gpu.launch_func
  // CHECK-NOT:   gpu.memcpy  %[[A]],
  // CHECK-NOT:   gpu.memcpy  %[[B]],
  // CHECK:       gpu.memcpy  %[[C]],
  func.func @run_gemm(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@gemm blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %c : memref<64xf32>)
    return
  }

  // CHECK-LABEL: func.func @run_escapes(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>,
  // CHECK:       gpu.launch_func
  // CHECK:       gpu.memcpy  %[[A]],
  // CHECK:       gpu.memcpy  %[[B]],
  func.func @run_escapes(%a: memref<64xf32>, %b: memref<64xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@escapes blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %p : i1)
    return
  }

  // CHECK-LABEL: func.func @run_vectors(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>)
  // CHECK:       gpu.memcpy  %{{.*}}, %[[B]]
  // CHECK:       gpu.launch_func
  // CHECK-NOT:   gpu.memcpy  %[[A]],
  // CHECK:       gpu.memcpy  %[[B]],
  func.func @run_vectors(%a: memref<64xf32>, %b: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@vectors blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>)
    return
  }

  // CHECK-LABEL: func.func @run_nested(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>,
  // CHECK:       gpu.launch_func
  // CHECK-NOT:   gpu.memcpy  %[[A]],
  // CHECK:       gpu.memcpy  %[[B]],
  func.func @run_nested(%a: memref<64xf32>, %b: memref<64xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@nested blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %p : i1)
    return
  }

  // CHECK-LABEL: func.func @run_structured(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>)
  // CHECK:       gpu.launch_func
  // CHECK-NOT:   gpu.memcpy  %[[A]],
  // CHECK:       gpu.memcpy  %[[B]],
  func.func @run_structured(%a: memref<64xf32>, %b: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@structured blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>)
    return
  }

  // CHECK-LABEL: func.func @run_chosen(
  // CHECK-SAME:    %[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>,
  // CHECK:       gpu.launch_func
  // CHECK:       gpu.memcpy  %[[A]],
  // CHECK:       gpu.memcpy  %[[B]],
  func.func @run_chosen(%a: memref<64xf32>, %b: memref<64xf32>, %p: i1, %v: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@chosen blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %p : i1, %v : f32)
    return
  }
}
