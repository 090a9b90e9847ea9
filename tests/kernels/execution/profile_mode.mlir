// Kernels of one block whose counters are known by hand (profile_mode_test.cc).
gpu.module @counted {
  llvm.mlir.global internal @words() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<8192 x f32>

  // Thread t stores a word of shared memory, and loads it again behind a barrier: words[t * stride].
  llvm.func @shared_words(%stride: i32, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = arith.constant 0.0 : f32
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %at = arith.muli %t, %stride : i32
    %p = llvm.getelementptr %words[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %zero, %p : f32, !llvm.ptr<3> loc("store a word")
    nvvm.barrier0 loc("meet")
    %v = llvm.load %p : !llvm.ptr<3> -> f32 loc("load a word")
    %py = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %py : f32, !llvm.ptr loc("store the result")
    llvm.return
  }

  // Thread t loads 8 bytes of words[t * stride], then 16, of which it stores the sum.
  llvm.func @shared_vectors(%stride: i32, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = arith.constant 0.0 : f32
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %at = arith.muli %t, %stride : i32
    %p = llvm.getelementptr %words[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %two = llvm.load volatile %p {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32> loc("load two words")
    %four = llvm.load volatile %p {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32> loc("load four words")
    // Aligned to a word only, so word by word.
    %split = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xf32> loc("load four words one by one")
    llvm.return
  }

  // Thread t loads x[t * stride + offset].
  llvm.func @global_words(%stride: i32, %offset: i32, %x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %far = arith.muli %t, %stride : i32
    %at = arith.addi %far, %offset : i32
    %p = llvm.getelementptr %x[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load volatile %p : !llvm.ptr -> f32 loc("load an element")
    llvm.return
  }

  // Rows of 128 bytes, 8 chunks of 16 bytes each: lane l gives chunk l / 8 of row l % 8, swapped by row * `swizzle`.
  llvm.func @matrix(%swizzle: i32, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %row = arith.remui %lane, %c8 : i32
    %chunk = arith.divui %lane, %c8 : i32
    %by = arith.muli %row, %swizzle : i32
    %placed = arith.xori %chunk, %by : i32
    %start = arith.muli %row, %c64 : i32
    %along = arith.muli %placed, %c8 : i32
    %at = arith.addi %start, %along : i32
    %p = llvm.getelementptr %words[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %f = nvvm.ldmatrix %p {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)> loc("read fragments")
    llvm.return
  }

  // Copies 16 bytes of x a thread, of which the last thread reads none: zeros.
  llvm.func @copies(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0 : i32
    %last = arith.constant 31 : i32
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %at = arith.muli %t, %c4 : i32
    %shared = llvm.getelementptr %words[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %gx = llvm.addrspacecast %x : !llvm.ptr to !llvm.ptr<1>
    %global = llvm.getelementptr %gx[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %inside = arith.cmpi slt, %t, %last : i32
    %bytes = arith.select %inside, %c16, %zero : i32
    nvvm.cp.async.shared.global %shared, %global, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32 loc("copy a tile")
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    llvm.return
  }

  // `rounds` times: the threads below `limit` load x[t], with no barrier in between.
  llvm.func @rounds(%rounds: i32, %limit: i32, %x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    scf.for %i = %c0 to %rounds step %c1 : i32 {
      %lower = arith.addi %limit, %i : i32
      %mine = arith.cmpi slt, %t, %lower : i32
      scf.if %mine {
        %v = llvm.load volatile %p : !llvm.ptr -> f32 loc("load mine")
      } loc("choose")
    }
    llvm.return
  }
}
