// RUN: mmtune-opt %s --lower-host-asserts --mlir-print-debuginfo | FileCheck %s

// CHECK-LABEL: func.func @checked(
// CHECK-SAME:    %[[OK:.*]]: i1
// CHECK:         %[[FAILED:.*]] = arith.xori %[[OK]], %{{.*}}
// CHECK:         scf.if %[[FAILED]] {
// CHECK:           %[[TEXT:.*]] = llvm.mlir.addressof @[[NAME:assertion.*]] :
// CHECK:           llvm.call @mgpuAssertFailed(%[[TEXT]])
// CHECK-NOT:     cf.assert
// CHECK:         return
// CHECK:       gpu.module @kernels
// CHECK:         cf.assert %{{.*}}, "of a kernel"
// CHECK:       llvm.mlir.global internal constant @[[NAME]]("{{.*}}asserts.mlir:[[# @LINE + 2]]:3: an assertion failed: sizes differ\00")
func.func @checked(%ok: i1) {
  cf.assert %ok, "sizes differ"
  return
}

// Device code has its own.
gpu.module @kernels {
  gpu.func @f(%ok: i1) kernel {
    cf.assert %ok, "of a kernel"
    gpu.return
  }
}
