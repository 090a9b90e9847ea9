// RUN: mmtune-opt %s --export-c-interfaces | FileCheck %s
// RUN: mmtune-opt %s --export-c-interfaces="prefix=one_ packed=0" | FileCheck %s --check-prefix=PREFIX

// PREFIX-NOT: _mlir_packed
// PREFIX: llvm.func @_mlir_ciface_one_buffers(
// PREFIX: llvm.func @_mlir_ciface_one_scalars(
// PREFIX: llvm.func @_mlir_ciface_elsewhere(
// PREFIX-NOT: _mlir_packed

// One memref in, one out through the first parameter.
llvm.func @_mlir_ciface_mmtune.buffers(%result: !llvm.ptr, %x: !llvm.ptr) {
  llvm.return
}
llvm.func @_mlir_ciface_mmtune.scalars(%x: f32, %y: i64) -> f32 {
  llvm.return %x : f32
}
llvm.func @_mlir_ciface_elsewhere(!llvm.ptr)
llvm.func @inner() {
  llvm.return
}

// CHECK-LABEL: llvm.func @_mlir_packed_buffers(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr)
// CHECK:         %[[SLOT0:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK:         %[[AT0:.*]] = llvm.load %[[SLOT0]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[RESULT:.*]] = llvm.load %[[AT0]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[SLOT1:.*]] = llvm.getelementptr %[[ARGS]][1]
// CHECK:         %[[AT1:.*]] = llvm.load %[[SLOT1]]
// CHECK:         %[[X:.*]] = llvm.load %[[AT1]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.call @_mlir_ciface_buffers(%[[RESULT]], %[[X]])
// CHECK:         llvm.return

// A scalar result goes where the last pointer says.
// CHECK-LABEL: llvm.func @_mlir_packed_scalars(
// CHECK:         %[[R:.*]] = llvm.call @_mlir_ciface_scalars
// CHECK:         %[[SLOT2:.*]] = llvm.getelementptr %{{.*}}[2]
// CHECK:         %[[AT2:.*]] = llvm.load %[[SLOT2]]
// CHECK:         llvm.store %[[R]], %[[AT2]] : f32, !llvm.ptr
// CHECK-NOT:   llvm.func @_mlir_packed_
