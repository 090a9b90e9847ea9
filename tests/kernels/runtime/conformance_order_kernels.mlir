// Kernels of device_conformance_test.cc whose threads wait for one another or agree on something. The mbarrier needs
// sm_80.
gpu.module @conformance_order {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // out[4 * thread ..] = laneid, lanemask_lt, lanemask_eq, lanemask_ge
  llvm.func @lanes(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %four = arith.constant 4 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %lt = nvvm.read.ptx.sreg.lanemask.lt : i32
    %eq = nvvm.read.ptx.sreg.lanemask.eq : i32
    %ge = nvvm.read.ptx.sreg.lanemask.ge : i32
    %at = arith.muli %t, %four : i32
    %p0 = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %p2 = llvm.getelementptr %p0[2] : (!llvm.ptr) -> !llvm.ptr, i32
    %p3 = llvm.getelementptr %p0[3] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %lane, %p0 : i32, !llvm.ptr
    llvm.store %lt, %p1 : i32, !llvm.ptr
    llvm.store %eq, %p2 : i32, !llvm.ptr
    llvm.store %ge, %p3 : i32, !llvm.ptr
    llvm.return
  }

  // 64 threads. The second warp writes, arrives at barrier 1 and goes on; the first waits there and reads.
  llvm.func @hand_over(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %id = arith.constant 1 : i32
    %both = arith.constant 64 : i32
    %half = arith.constant 32 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %reads = arith.cmpi ult, %t, %half : i32
    scf.if %reads {
      nvvm.barrier id = %id number_of_threads = %both
      %from = llvm.getelementptr %base[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %word = llvm.load %from : !llvm.ptr<3> -> i32
      %to = llvm.getelementptr %out[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %word, %to : i32, !llvm.ptr
    } else {
      %at = arith.subi %t, %half : i32
      %own = llvm.getelementptr %base[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %t, %own : i32, !llvm.ptr<3>
      nvvm.barrier.arrive id = %id number_of_threads = %both
    }
    llvm.return
  }

  // out[3 * thread ..] = whether all threads, whether any, and how many are below `limit`
  llvm.func @votes(%out: !llvm.ptr, %limit: i32) attributes {gpu.kernel, nvvm.kernel} {
    %three = arith.constant 3 : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %below = arith.cmpi ult, %t, %limit : i32
    %vote = arith.extui %below : i1 to i32
    %all = nvvm.barrier #nvvm.reduction<and> %vote -> i32
    %any = nvvm.barrier #nvvm.reduction<or> %vote -> i32
    %count = nvvm.barrier #nvvm.reduction<popc> %vote -> i32
    %at = arith.muli %t, %three : i32
    %p0 = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %p2 = llvm.getelementptr %p0[2] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %all, %p0 : i32, !llvm.ptr
    llvm.store %any, %p1 : i32, !llvm.ptr
    llvm.store %count, %p2 : i32, !llvm.ptr
    llvm.return
  }

  // Each round everyone writes 1000 * round + thread, arrives at an mbarrier, waits for all, and puts what the mirrored
  // thread wrote into out[round * ntid.x + thread].
  llvm.func @rounds(%out: !llvm.ptr, %rounds: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %thousand = arith.constant 1000 : i32
    %true = arith.constant true
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %mbarrier = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %words = llvm.getelementptr %mbarrier[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %own = llvm.getelementptr %words[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %0 = arith.subi %n, %t : i32
    %mirrored = arith.subi %0, %one : i32
    %other = llvm.getelementptr %words[%mirrored] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %is_first = arith.cmpi eq, %t, %zero : i32
    scf.if %is_first {
      nvvm.mbarrier.init %mbarrier, %n : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.for %round = %zero to %rounds step %one : i32 {
      %1 = arith.muli %round, %thousand : i32
      %word = arith.addi %1, %t : i32
      llvm.store %word, %own : i32, !llvm.ptr<3>
      %state = nvvm.mbarrier.arrive %mbarrier : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.test.wait %mbarrier, %state : !llvm.ptr<3>, i64 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %got = llvm.load %other : !llvm.ptr<3> -> i32
      %2 = arith.muli %round, %n : i32
      %at = arith.addi %2, %t : i32
      %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %got, %to : i32, !llvm.ptr
      nvvm.barrier0
    }
    llvm.return
  }

  // Reduces the numbers of all threads: out[0] is the smallest and 5, out[1] the largest, out[2] and out[3]
  // have a bit of each cleared and set, out[4] their exclusive or, out[5] counted by compare-and-swap.
  llvm.func @combine(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    %ones = arith.constant -1 : i32
    %mask = arith.constant 31 : i32
    %true = arith.constant true
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %0 = arith.muli %b, %n : i32
    %number = arith.addi %0, %t : i32
    %more = arith.addi %number, %five : i32
    %place = arith.andi %number, %mask : i32
    %bit = arith.shli %one, %place : i32
    %others = arith.xori %bit, %ones : i32
    %p1 = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %p2 = llvm.getelementptr %out[2] : (!llvm.ptr) -> !llvm.ptr, i32
    %p3 = llvm.getelementptr %out[3] : (!llvm.ptr) -> !llvm.ptr, i32
    %p4 = llvm.getelementptr %out[4] : (!llvm.ptr) -> !llvm.ptr, i32
    %p5 = llvm.getelementptr %out[5] : (!llvm.ptr) -> !llvm.ptr, i32
    %1 = llvm.atomicrmw umin %out, %more monotonic : !llvm.ptr, i32
    %2 = llvm.atomicrmw max %p1, %number monotonic : !llvm.ptr, i32
    %3 = llvm.atomicrmw _and %p2, %others monotonic : !llvm.ptr, i32
    %4 = llvm.atomicrmw _or %p3, %bit monotonic : !llvm.ptr, i32
    %5 = llvm.atomicrmw _xor %p4, %number monotonic : !llvm.ptr, i32
    %last = scf.while (%old = %zero) : (i32) -> i32 {
      %new = arith.addi %old, %one : i32
      %pair = llvm.cmpxchg %p5, %old, %new acq_rel monotonic : !llvm.ptr, i32
      %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
      %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
      %again = arith.xori %done, %true : i1
      scf.condition(%again) %seen : i32
    } do {
    ^bb0(%seen: i32):
      scf.yield %seen : i32
    }
    llvm.return
  }
}
