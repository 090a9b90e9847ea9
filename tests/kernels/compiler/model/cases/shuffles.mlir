// Shuffles of every width of elements, over all lanes and over fewer: lanes that one leaves out wait at the next one. -1
// where there is no value.
func.func @main(%i8s: memref<32xi32>, %f16s: memref<32xf32>, %bf16s: memref<32xf32>, %i64s: memref<32xi64>,
                %vectors: memref<32xf32>, %f64s: memref<32xf64>, %rotated: memref<32xi32>, %apart: memref<32xi32>,
                %odd: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%x, %y, %z) in (%w = %c32, %h = %c1, %t = %c1) {
    %none = arith.constant -1 : i32
    %nowhere = arith.constant -1.0 : f32
    %none64 = arith.constant -1 : i64
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %five = arith.constant 5 : i32
    %eight = arith.constant 8 : i32
    %thirteen = arith.constant 13 : i32
    %sixteen = arith.constant 16 : i32
    %all = arith.constant 32 : i32
    %lane = arith.index_cast %x : index to i32

    %byte = arith.trunci %lane : i32 to i8
    %byte1, %v0 = gpu.shuffle xor %byte, %five, %all : i8
    %r0 = arith.extsi %byte1 : i8 to i32
    memref.store %r0, %i8s[%x] : memref<32xi32>

    %half = arith.sitofp %lane : i32 to f16
    %half1, %v1 = gpu.shuffle down %half, %three, %sixteen : f16
    %w1 = arith.extf %half1 : f16 to f32
    %r1 = arith.select %v1, %w1, %nowhere : f32
    memref.store %r1, %f16s[%x] : memref<32xf32>

    %bfloat = arith.sitofp %lane : i32 to bf16
    %bfloat1, %v2 = gpu.shuffle up %bfloat, %two, %sixteen : bf16
    %w2 = arith.extf %bfloat1 : bf16 to f32
    %r2 = arith.select %v2, %w2, %nowhere : f32
    memref.store %r2, %bf16s[%x] : memref<32xf32>

    %large = arith.constant 1099511627776 : i64
    %lane64 = arith.extsi %lane : i32 to i64
    %long = arith.addi %lane64, %large : i64
    %long1, %v3 = gpu.shuffle idx %long, %five, %eight : i64
    %r3 = arith.select %v3, %long1, %none64 : i64
    memref.store %r3, %i64s[%x] : memref<32xi64>

    %float = arith.sitofp %lane : i32 to f32
    %hundred = arith.constant 100.0 : f32
    %hundreds = arith.mulf %float, %hundred : f32
    %pair = vector.from_elements %float, %hundreds : vector<2xf32>
    %pair1, %v4 = gpu.shuffle xor %pair, %one, %all : vector<2xf32>
    %r4 = vector.reduction <add>, %pair1 : vector<2xf32> into f32
    memref.store %r4, %vectors[%x] : memref<32xf32>

    %double = arith.extf %float : f32 to f64
    %double1, %v5 = gpu.shuffle xor %double, %sixteen, %all : f64
    memref.store %double1, %f64s[%x] : memref<32xf64>

    %short = arith.trunci %lane : i32 to i16
    %short1, %v6 = gpu.rotate %short, 3, 8 : i16
    %w6 = arith.extsi %short1 : i16 to i32
    %r6 = arith.select %v6, %w6, %none : i32
    memref.store %r6, %rotated[%x] : memref<32xi32>

    memref.store %none, %apart[%x] : memref<32xi32>
    %takes_part = arith.cmpi ult, %x, %c8 : index
    scf.if %takes_part {
      %short2, %v7 = gpu.shuffle xor %short, %one, %eight : i16
      %r7 = arith.extsi %short2 : i16 to i32
      memref.store %r7, %apart[%x] : memref<32xi32>
    }

    %lane1, %v8 = gpu.shuffle up %lane, %one, %thirteen : i32
    %r8 = arith.select %v8, %lane1, %none : i32
    memref.store %r8, %odd[%x] : memref<32xi32>
    gpu.terminator
  }
  return
}
