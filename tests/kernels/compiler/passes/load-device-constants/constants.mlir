// RUN: mmtune-opt %s --convert-memcpy-to-gpu --load-device-constants | FileCheck %s
// RUN: mmtune-opt %s --convert-memcpy-to-gpu | FileCheck %s --check-prefix=PLACED

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%from: memref<64xf16>, %to: memref<64xf16>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %from[%i] : memref<64xf16>
      %y = arith.addf %x, %x : f16
      memref.store %y, %to[%i] : memref<64xf16>
      gpu.return
    }
  }
  memref.global "private" constant @weights : memref<64xf16> = dense<1.0>
  memref.global "private" constant @elsewhere : memref<64xf16>

  // No memory is allocated for it, and nothing copied to it.
  // PLACED-LABEL: func.func @reads(
  // PLACED:         %[[W:.*]] = memref.get_global @weights : memref<64xf16> {mmtune.device_constant}
  // PLACED-NOT:     gpu.memcpy %{{.*}}, %[[W]]
  // PLACED:         gpu.launch_func {{.*}} args(%[[W]] : memref<64xf16>
  // CHECK-LABEL: func.func @reads(
  // CHECK:         %[[NULL:.*]] = llvm.mlir.zero
  // CHECK:         %[[COUNT:.*]] = llvm.mlir.constant(64 : i64)
  // CHECK:         %[[END:.*]] = llvm.getelementptr %[[NULL]][%[[COUNT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
  // CHECK:         %[[BYTES:.*]] = llvm.ptrtoint %[[END]]
  // CHECK:         %[[HOST:.*]] = memref.get_global @weights : memref<64xf16>
  // CHECK:         %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[HOST]]
  // CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[INDEX]]
  // CHECK:         %[[ADDRESS:.*]] = llvm.inttoptr %[[INTEGER]]
  // CHECK:         %[[DEVICE:.*]] = llvm.call @mgpuConstantLoad(%[[ADDRESS]], %[[BYTES]]) : (!llvm.ptr, i64) -> !llvm.ptr
  // CHECK:         llvm.insertvalue %[[DEVICE]]
  // CHECK:         %[[W:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf16>
  // CHECK:         gpu.launch_func {{.*}} args(%[[W]] : memref<64xf16>
  func.func @reads(%out: memref<64xf16>) {
    %c1 = arith.constant 1 : index
    %w = memref.get_global @weights : memref<64xf16>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<64xf16>, %out : memref<64xf16>)
    return
  }

  // What fills device memory comes from there, too; the host's memory is filled by the host.
  // CHECK-LABEL: func.func @copies(
  // PLACED-LABEL: func.func @copies(
  // PLACED-DAG:     %[[W:.*]] = memref.get_global @weights : memref<64xf16> {mmtune.device_constant}
  // PLACED-DAG:     %[[HOST:.*]] = memref.get_global @weights : memref<64xf16>{{$}}
  // PLACED:         gpu.memcpy  %{{.*}}, %[[W]] :
  // PLACED:         memref.copy %[[HOST]], %{{.*}}
  func.func @copies(%out: memref<64xf16>, %host: memref<64xf16>) {
    %c1 = arith.constant 1 : index
    %w = memref.get_global @weights : memref<64xf16>
    %x = memref.alloc() : memref<64xf16>
    memref.copy %w, %x : memref<64xf16> to memref<64xf16>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf16>, %out : memref<64xf16>)
    memref.copy %w, %host : memref<64xf16> to memref<64xf16>
    memref.dealloc %x : memref<64xf16>
    return
  }

  // Its value is another module's, and a kernel that writes a constant gets a copy of its own.
  // PLACED-LABEL: func.func @others(
  // PLACED-NOT:     mmtune.device_constant
  // PLACED:         return
  func.func @others(%out: memref<64xf16>) {
    %c1 = arith.constant 1 : index
    %e = memref.get_global @elsewhere : memref<64xf16>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%e : memref<64xf16>, %out : memref<64xf16>)
    %w = memref.get_global @weights : memref<64xf16>
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<64xf16>, %w : memref<64xf16>)
    return
  }

  // CHECK-LABEL: llvm.func internal @mmtune_release_constants() {
  // CHECK:         memref.get_global @weights
  // CHECK:         llvm.call @mgpuConstantUnload(
  // CHECK-NOT:     llvm.call
  // CHECK:         llvm.return
  // CHECK:       llvm.mlir.global_dtors dtors = [@mmtune_release_constants]
}
