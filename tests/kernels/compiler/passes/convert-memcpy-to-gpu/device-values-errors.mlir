// RUN: mmtune-opt %s --convert-memcpy-to-gpu --split-input-file --verify-diagnostics

func.func private @either(%x: memref<8xf32>) {
  return
}
func.func @two_kinds(%h: memref<8xf32>) {
  %d = gpu.alloc () : memref<8xf32>
  call @either(%d) : (memref<8xf32>) -> ()
  // expected-error @below {{operand #0 of the call of @either may be host memory, and this or another call passes device memory (gpu.alloc) there}}
  call @either(%h) : (memref<8xf32>) -> ()
  gpu.dealloc %d : memref<8xf32>
  return
}

// -----

func.func private @either(%x: memref<8xf32>) {
  return
}
func.func @of_two_kinds(%h: memref<8xf32>, %asked: i1) {
  %d = gpu.alloc () : memref<8xf32>
  %s = arith.select %asked, %d, %h : memref<8xf32>
  // expected-error @below {{operand #0 of the call of @either may be host memory}}
  call @either(%s) : (memref<8xf32>) -> ()
  return
}

// -----

func.func @public(%x: memref<8xf32>) {
  return
}
func.func @to_public() {
  %d = gpu.alloc () : memref<8xf32>
  // expected-error @below {{operand #0 of the call of @public is device memory (gpu.alloc), and callers elsewhere pass host memory: make the function private}}
  call @public(%d) : (memref<8xf32>) -> ()
  return
}

// -----

func.func private @loads(%x: memref<8xf32>, %i: index) -> f32 {
  // expected-error @below {{runs on the host and takes argument #0, which is device memory (a caller's gpu.alloc): copy it to host memory first}}
  %v = memref.load %x[%i] : memref<8xf32>
  return %v : f32
}
func.func @loaded(%i: index) -> f32 {
  %d = gpu.alloc () : memref<8xf32>
  %v = call @loads(%d, %i) : (memref<8xf32>, index) -> f32
  gpu.dealloc %d : memref<8xf32>
  return %v : f32
}

// -----

func.func private @unranked(%x: memref<*xf32>) {
  return
}
func.func @cast() {
  %d = gpu.alloc () : memref<8xf32>
  %u = memref.cast %d : memref<8xf32> to memref<*xf32>
  // expected-error @below {{operand #0 of the call of @unranked is device memory (gpu.alloc) as an unranked memref: pass a ranked one}}
  call @unranked(%u) : (memref<*xf32>) -> ()
  return
}

// -----

func.func private @made(%asked: i1) -> memref<8xf32> {
  cf.cond_br %asked, ^device, ^host
^device:
  %d = gpu.alloc () : memref<8xf32>
  return %d : memref<8xf32>
^host:
  %h = memref.alloc() : memref<8xf32>
  // expected-error @below {{result #0 of @made may be host memory here and device memory (gpu.alloc) elsewhere}}
  return %h : memref<8xf32>
}
func.func @makes(%asked: i1) {
  %m = call @made(%asked) : (i1) -> memref<8xf32>
  return
}
