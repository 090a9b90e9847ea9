// RUN: mmtune-opt %s --normalize-memory-spaces --split-input-file --verify-diagnostics

// expected-error @below {{argument #1 of @f, of type 'memref<4xf32, 1>', is device memory by its memory space, and callers pass host memory: leave the memory space out}}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32, 1>) {
  return
}

// -----

// expected-error @below {{argument #0 of @f, of type 'memref<4xf32, #gpu.address_space<global>>', is device memory}}
func.func @f(%x: memref<4xf32, #gpu.address_space<global>>) {
  return
}

// -----

// expected-error @below {{result #0 of @f, of type 'memref<4xf32, 1>', is device memory}}
func.func @f() -> memref<4xf32, 1> {
  %x = memref.alloc() : memref<4xf32, 1>
  return %x : memref<4xf32, 1>
}

// -----

// Callers inside the module have device memory to pass.
func.func private @f(%x: memref<4xf32, 1>) {
  return
}

// -----

func.func @f() {
  // expected-error @below {{host code has no memory of type 'memref<4xf32, 3>': only a kernel has this memory space}}
  %x = memref.alloc() : memref<4xf32, 3>
  return
}

// -----

func.func @f() {
  // expected-error @below {{host code has no memory of type 'memref<4xf32, #gpu.address_space<workgroup>>'}}
  %x = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @f(%x: memref<4xf32>, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %constants = memref.alloca() : memref<4xf32, 4>
    %own = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    // expected-error @below {{'memref<4xf32, 7>' is in an unknown memory space; known are none (the default), 1 or #gpu.address_space<global>, 3 or #gpu.address_space<workgroup>, 4 (constants), 5 or #gpu.address_space<private>}}
    %y = memref.alloca() : memref<4xf32, 7>
    gpu.terminator
  }
  return
}

// -----

// expected-error @below {{'memref<4xf32, "elsewhere">' is in an unknown memory space}}
func.func @f(%x: memref<4xf32, "elsewhere">) {
  return
}

// -----

// expected-error @below {{'memref<*xf32, 2>' is in an unknown memory space}}
func.func private @f() -> memref<*xf32, 2>
