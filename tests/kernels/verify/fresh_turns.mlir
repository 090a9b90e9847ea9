// Each iteration of the loop writes its buffer before it reads it, in one of three places of the barriers.
!descriptor = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @turns(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %value = memref.load %in[%x] : memref<64xf32>
    // No barrier between the turns: the compiler adds one.
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %mirror = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %mirror, %out[%x] : memref<64xf32>
      memref.dealloc %buffer : memref<64xf32, #gpu.address_space<workgroup>>
    }
    // One between the allocation and its first use.
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %value, %buffer[%x] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %mirror = memref.load %buffer[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %mirror, %out[%x] : memref<64xf32>
    }
    // One at the end of the turn, and one thread that writes for all.
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<1xf32, #gpu.address_space<workgroup>>
      %is_first = arith.cmpi eq, %x, %zero : index
      scf.if %is_first {
        memref.store %value, %buffer[%zero] : memref<1xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %all = memref.load %buffer[%zero] : memref<1xf32, #gpu.address_space<workgroup>>
      memref.store %all, %out[%x] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }

  // The first warp writes, the second reads; they meet at a barrier of their own.
  gpu.func @handed_over(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %last = arith.constant 63 : index
    %half = arith.constant 32 : index
    %id = arith.constant 1 : i32
    %both = arith.constant 64 : i32
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %value = memref.load %in[%x] : memref<64xf32>
    %writes = arith.cmpi ult, %x, %half : index
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.if %writes {
      } else {
        nvvm.barrier id = %id number_of_threads = %both
      }
      scf.if %writes {
        memref.store %value, %buffer[%x] : memref<32xf32, #gpu.address_space<workgroup>>
        nvvm.barrier id = %id number_of_threads = %both
      } else {
        %mirror = memref.load %buffer[%other] : memref<32xf32, #gpu.address_space<workgroup>>
        memref.store %mirror, %out[%x] : memref<64xf32>
      }
    }
    gpu.return
  }

  // What is written first is written atomically.
  gpu.func @counted(%out: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %last = arith.constant 63 : index
    %x = gpu.thread_id x
    %other = arith.subi %last, %x : index
    %number = arith.index_cast %x : index to i64
    %word = arith.index_cast %x : index to i32
    scf.for %i = %zero to %four step %one {
      %buffer = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
      %descriptor = builtin.unrealized_conversion_cast %buffer : memref<64xi32, #gpu.address_space<workgroup>> to !descriptor
      %begin = llvm.extractvalue %descriptor[1] : !descriptor
      %pointer = llvm.getelementptr %begin[%number] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
      llvm.store volatile %word, %pointer : i32, !llvm.ptr<3>
      gpu.barrier
      %mirror = memref.load %buffer[%other] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %mirror, %out[%x] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}
