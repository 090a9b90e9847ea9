// The kernels of device_conformance_test.cc, for every device.
gpu.module @conformance {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // out[8 * global thread ..] = tid.xyz, ctaid.xyz, ntid.x * 100 + ntid.y, nctaid.x * 100 + nctaid.y
  llvm.func @who_am_i(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %tz = nvvm.read.ptx.sreg.tid.z : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %bz = nvvm.read.ptx.sreg.ctaid.z : i32
    %nx = nvvm.read.ptx.sreg.ntid.x : i32
    %ny = nvvm.read.ptx.sreg.ntid.y : i32
    %nz = nvvm.read.ptx.sreg.ntid.z : i32
    %gx = nvvm.read.ptx.sreg.nctaid.x : i32
    %gy = nvvm.read.ptx.sreg.nctaid.y : i32
    %hundred = arith.constant 100 : i32
    %eight = arith.constant 8 : i32
    %0 = arith.muli %bz, %gy : i32
    %1 = arith.addi %0, %by : i32
    %2 = arith.muli %1, %gx : i32
    %block = arith.addi %2, %bx : i32
    %3 = arith.muli %block, %nz : i32
    %4 = arith.addi %3, %tz : i32
    %5 = arith.muli %4, %ny : i32
    %6 = arith.addi %5, %ty : i32
    %7 = arith.muli %6, %nx : i32
    %thread = arith.addi %7, %tx : i32
    %at = arith.muli %thread, %eight : i32
    %slot = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %8 = arith.muli %nx, %hundred : i32
    %ntid = arith.addi %8, %ny : i32
    %9 = arith.muli %gx, %hundred : i32
    %nctaid = arith.addi %9, %gy : i32
    %p1 = llvm.getelementptr %slot[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %p2 = llvm.getelementptr %slot[2] : (!llvm.ptr) -> !llvm.ptr, i32
    %p3 = llvm.getelementptr %slot[3] : (!llvm.ptr) -> !llvm.ptr, i32
    %p4 = llvm.getelementptr %slot[4] : (!llvm.ptr) -> !llvm.ptr, i32
    %p5 = llvm.getelementptr %slot[5] : (!llvm.ptr) -> !llvm.ptr, i32
    %p6 = llvm.getelementptr %slot[6] : (!llvm.ptr) -> !llvm.ptr, i32
    %p7 = llvm.getelementptr %slot[7] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %tx, %slot : i32, !llvm.ptr
    llvm.store %ty, %p1 : i32, !llvm.ptr
    llvm.store %tz, %p2 : i32, !llvm.ptr
    llvm.store %bx, %p3 : i32, !llvm.ptr
    llvm.store %by, %p4 : i32, !llvm.ptr
    llvm.store %bz, %p5 : i32, !llvm.ptr
    llvm.store %ntid, %p6 : i32, !llvm.ptr
    llvm.store %nctaid, %p7 : i32, !llvm.ptr
    llvm.return
  }

  // data[i] = data[i] * factor + offset for i < count
  llvm.func @scale(%data: !llvm.ptr, %count: i32, %factor: f32, %offset: f64) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %0 = arith.muli %b, %n : i32
    %i = arith.addi %0, %t : i32
    %inside = arith.cmpi slt, %i, %count : i32
    scf.if %inside {
      %p = llvm.getelementptr %data[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %v = llvm.load %p : !llvm.ptr -> f32
      %1 = arith.mulf %v, %factor : f32
      %o = arith.truncf %offset : f64 to f32
      %2 = arith.addf %1, %o : f32
      llvm.store %2, %p : f32, !llvm.ptr
    }
    llvm.return
  }

  // Turns the block's ntid.x words round, `rounds` times, through dynamic shared memory; thread i keeps its word at
  // offset `stride` * i.
  llvm.func @reverse(%data: !llvm.ptr, %stride: i32, %rounds: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %0 = arith.muli %b, %n : i32
    %i = arith.addi %0, %t : i32
    %p = llvm.getelementptr %data[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %own_at = arith.muli %t, %stride : i32
    %own = llvm.getelementptr %base[%own_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %1 = arith.subi %n, %t : i32
    %mirror = arith.subi %1, %one : i32
    %other_at = arith.muli %mirror, %stride : i32
    %other = llvm.getelementptr %base[%other_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %first = llvm.load %p : !llvm.ptr -> i32
    %last = scf.for %round = %zero to %rounds step %one iter_args(%word = %first) -> (i32) : i32 {
      llvm.store %word, %own : i32, !llvm.ptr<3>
      nvvm.barrier0
      %next = llvm.load %other : !llvm.ptr<3> -> i32
      nvvm.barrier0
      scf.yield %next : i32
    }
    llvm.store %last, %p : i32, !llvm.ptr
    llvm.return
  }

  // Every thread adds 1 to the word and 0.5 to the float behind it.
  llvm.func @count(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %one = arith.constant 1 : i32
    %half = arith.constant 0.5 : f32
    %second = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %0 = llvm.atomicrmw add %out, %one monotonic : !llvm.ptr, i32
    %1 = llvm.atomicrmw fadd %second, %half monotonic : !llvm.ptr, f32
    llvm.return
  }
}
