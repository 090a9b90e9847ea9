// The kernels that the random host modules launch, on one block of any number of threads. Together they read, write,
// overwrite and partly write their buffers, by ways that the pass can see through and by ways that it cannot.
gpu.module @kernels {
  // Writes everything, and promises it.
  gpu.func @overwrite(%out: memref<?xf32, strided<[?], offset: ?>> {mmtune.overwrites}, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    %n = memref.dim %out, %c0 : memref<?xf32, strided<[?], offset: ?>>
    scf.for %i = %first to %n step %step {
      memref.store %v, %out[%i] : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  // Writes everything, but nothing says so.
  gpu.func @count(%out: memref<?xf32, strided<[?], offset: ?>>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    %n = memref.dim %out, %c0 : memref<?xf32, strided<[?], offset: ?>>
    scf.for %i = %first to %n step %step {
      %integer = arith.index_cast %i : index to i32
      %float = arith.sitofp %integer : i32 to f32
      %sum = arith.addf %float, %v : f32
      memref.store %sum, %out[%i] : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  // Only writes, and leaves every other element out.
  gpu.func @every_other(%out: memref<?xf32, strided<[?], offset: ?>>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %thread = gpu.thread_id x
    %threads = gpu.block_dim x
    %first = arith.muli %thread, %c2 : index
    %step = arith.muli %threads, %c2 : index
    %n = memref.dim %out, %c0 : memref<?xf32, strided<[?], offset: ?>>
    scf.for %i = %first to %n step %step {
      memref.store %v, %out[%i] : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  // out[i] += in[i], as far as both reach.
  gpu.func @add(%in: memref<?xf32, strided<[?], offset: ?>>, %out: memref<?xf32, strided<[?], offset: ?>>) kernel {
    %c0 = arith.constant 0 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    %m = memref.dim %in, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %n = memref.dim %out, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %end = arith.minsi %m, %n : index
    scf.for %i = %first to %end step %step {
      %x = memref.load %in[%i] : memref<?xf32, strided<[?], offset: ?>>
      %y = memref.load %out[%i] : memref<?xf32, strided<[?], offset: ?>>
      %sum = arith.addf %x, %y : f32
      memref.store %sum, %out[%i] : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  // The first thread alone: out[0] = the sum of in.
  gpu.func @sum(%in: memref<?xf32, strided<[?], offset: ?>>, %out: memref<?xf32, strided<[?], offset: ?>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %thread = gpu.thread_id x
    %n = memref.dim %in, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %m = memref.dim %out, %c0 : memref<?xf32, strided<[?], offset: ?>>
    %is_first = arith.cmpi eq, %thread, %c0 : index
    %has_room = arith.cmpi ne, %m, %c0 : index
    %writes = arith.andi %is_first, %has_room : i1
    scf.if %writes {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %zero) -> f32 {
        %x = memref.load %in[%i] : memref<?xf32, strided<[?], offset: ?>>
        %new = arith.addf %old, %x : f32
        scf.yield %new : f32
      }
      memref.store %sum, %out[%c0] : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  // Of two dimensions: b = 2 a - b, as far as both reach.
  gpu.func @reflect(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>)
      kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    %rows_a = memref.dim %a, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %rows_b = memref.dim %b, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %columns_a = memref.dim %a, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %columns_b = memref.dim %b, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %rows = arith.minsi %rows_a, %rows_b : index
    %columns = arith.minsi %columns_a, %columns_b : index
    scf.for %i = %first to %rows step %step {
      scf.for %j = %c0 to %columns step %c1 {
        %x = memref.load %a[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %y = memref.load %b[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %twice = arith.addf %x, %x : f32
        %z = arith.subf %twice, %y : f32
        memref.store %z, %b[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      }
    }
    gpu.return
  }

  // A static type, and a function that hides what is done with it.
  gpu.func @hidden(%x: memref<32xf32>, %v: f32) kernel {
    %c32 = arith.constant 32 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    scf.for %i = %first to %c32 step %step {
      func.call @add_at(%x, %i, %v) : (memref<32xf32>, index, f32) -> ()
    }
    gpu.return
  }
  func.func private @add_at(%x: memref<32xf32>, %i: index, %v: f32) {
    %old = memref.load %x[%i] : memref<32xf32>
    %new = arith.addf %old, %v : f32
    memref.store %new, %x[%i] : memref<32xf32>
    return
  }

  // The layout that an argument has, with a static size.
  gpu.func @first_column(%x: memref<4x8xf32, strided<[12, 1], offset: ?>>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %first = gpu.thread_id x
    %step = gpu.block_dim x
    scf.for %i = %first to %c4 step %step {
      memref.store %v, %x[%i, %c0] : memref<4x8xf32, strided<[12, 1], offset: ?>>
    }
    gpu.return
  }
}
