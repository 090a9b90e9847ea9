// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-nvvm-to-simt{race-detection=1}))' --split-input-file --verify-diagnostics

// What touches memory in a way that cannot be announced is refused; the thread's own memory may go to any function.
gpu.module @kernels {
  llvm.func @kernel(%g: !llvm.ptr<1>, %mask: vector<4xi1>, %v: vector<4xf32>, %n: i32, %byte: i8, %bytes: i64, %no: i1) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{'llvm.intr.vp.store' under race detection, which cannot tell what memory it accesses, is not supported on the SIMT device}}
    "llvm.intr.vp.store"(%v, %g, %mask, %n) : (vector<4xf32>, !llvm.ptr<1>, vector<4xi1>, i32) -> ()
    // expected-error @+1 {{'llvm.intr.matrix.column.major.store' under race detection}}
    llvm.intr.matrix.column.major.store %v, %g, <stride = %bytes> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> to !llvm.ptr<1> stride i64
    // expected-error @+1 {{'llvm.memset.p1.i64' under race detection}}
    llvm.call_intrinsic "llvm.memset.p1.i64"(%g, %byte, %bytes, %no) : (!llvm.ptr<1>, i8, i64, i1) -> ()
    // expected-error @+1 {{'llvm.intr.masked.compressstore' under race detection}}
    "llvm.intr.masked.compressstore"(%v, %g, %mask) : (vector<4xf32>, !llvm.ptr<1>, vector<4xi1>) -> ()
    llvm.return
  }
}
