// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of mmtune. Registration, options and documentation are generated from here.
#ifndef MMTUNE_KERNELS_PASSES
#define MMTUNE_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def ConvertNvvmToSimtPass : Pass<"convert-nvvm-to-simt", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite a gpu.module in the LLVM dialect for the SIMT device";
  let description = [{
    Takes a `gpu.module` whose functions are in the LLVM dialect with NVVM operations still typed
    (run it instead of `convert-nvvm-to-llvm`), and turns it into host code for the ABI of
    `kernels/runtime/simt/abi/abi.h`:

    - every function gets the thread's context as its first argument;
    - special registers become loads from the context or values computed from them; clocks read the
      host's cycle counter;
    - barriers of blocks (all, some threads, arrive, reductions) and warps, mbarriers, fences,
      `cp.async`, `cp.async.bulk` and `cp.async.bulk.tensor` (tile mode: load, store, reduce) become
      calls of the runtime; prefetches and `setmaxregister` go; operations with a predicate stand
      under a branch;
    - shuffles, votes, `redux`, `elect`, `match`, `ldmatrix`, `stmatrix` (8x8 tiles of 16 bits),
      `mma.sync` (f16, bf16, tf32, s8, u8, f64) and `wgmma.mma_async` (f16, bf16, tf32, s8, u8)
      become warp operations: a constant that describes one, and words for operands and results;
      without checks, `ldmatrix` and `mma.sync` of a block that do not wait for one another are one
      call;
    - conversions of f32 to tf32, and to pairs of f16 or bf16, become arithmetic;
    - `llvm.nvvm.*` intrinsics and inline PTX are read as the operations that they stand for, as far
      as MLIR itself would write those so; inline PTX may also be a `wgmma.mma_async` with A in
      registers;
    - globals in shared memory become offsets into the block's arena: static ones first, dynamic
      ones (arrays of no elements) at the next multiple of 1024. As an integer, a pointer to shared
      memory is its offset in the arena;
    - every address space becomes the default one, and synchronisation scopes become the system's;
    - calls of libdevice (`__nv_expf`), which `convert-gpu-to-nvvm` makes of math operations, become
      intrinsics of LLVM or calls of the host's math library;
    - a kernel `@k` gets an entry `@k__simt(context, arguments)`, which reads its parameters as
      `cuLaunchKernel` passes them, and a constant `@k__simt_static_shared`.

    With `checks` every access of memory that is not certain to be of the thread's own stack or
    parameters is announced to the runtime, a vector's as one; fences are too, and the lifetime that
    a shared buffer begins. Static shared globals are 128 bytes apart, which the table
    `@mmtune_simt_red_zones` tells; so are variables and constants in global memory, which the table
    `@mmtune_simt_variables` lists. The table `@mmtune_simt_sites` has the operation and the location ("file:line:col", or the name of a named
    location) behind the number that each call passes, which is 0 without checks.

    All kernels of a module share one layout of shared memory. An operation that the SIMT device
    does not model is an error at its location: clusters of blocks and their shared memory, im2col
    and multicast copies, programmatic dependent launch, `wmma`, sparse and block-scaled matrices,
    `tcgen05`, other inline PTX.
  }];
  let options = [
    Option<"checks", "checks", "bool", "false",
           "Announce every access of memory to the runtime's check mode">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def ConvertMemcpyToGpuPass : Pass<"convert-memcpy-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Give the buffers that device code touches a place in device memory";
  let description = [{
    Works on host functions (`func.func`) after kernels are outlined and before `gpu-async-region`.
    A buffer is what views (`memref.subview`, `memref.cast`, …) are traced back to. Only buffers that
    a `gpu.launch_func` or `gpu.memset` takes move; how depends on who else uses them:

    - a dense allocation that the host never reads or writes, and that is freed or returned on every
      path or nowhere, becomes a `gpu.alloc`. Copies of it become `gpu.memcpy`. It is freed where
      the program freed it, else after its last use. Where it is returned, the caller gets a new
      host allocation with its contents;
    - an argument or global whose host copy is not needed in between (nor reachable by another
      name, as a global that is not constant may be by an argument) has a device copy from the
      function's entry to its returns: filled at entry unless the first thing that happens to it
      is to be overwritten, copied back if a kernel may write it;
    - any other buffer (host loads or stores between launches, calls, buffers that come out of
      control flow) stays on the host and has a device copy around each launch, so both sides
      always see each other's writes.

    A buffer with a strided layout has a stretch of device memory from its first element to its last,
    and the kernel gets a view of it of the same type. Transfers are dense, so its elements go
    through a host buffer of that shape; what lies between them is neither read nor written.

    What a kernel does with a parameter is read off `llvm.readonly`, `llvm.writeonly` and
    `llvm.readnone`, else off the memory effects in its body, else taken as reads and writes. A
    parameter that is only written is copied in all the same, because elements that the kernel
    leaves out must keep their values, unless it carries the unit attribute `mmtune.overwrites`:
    the kernel's promise to write every element.

    Arguments are taken not to overlap one another nor, within one launch, a global, unless a call in
    the module passes them so; memory that functions declared only return is taken to be new.

    What cannot be converted is an error at its location: `gpu.launch` (outline it first),
    asynchronous operations, layouts without strides, negative strides at a fixed offset, one launch
    with two buffers that may be the same memory and that it may write; without `process-args`, host
    code that touches an argument, and calls that pass host memory to a function of the module.
  }];
  let options = [
    Option<"processArgs", "process-args", "bool", "true",
           "Move function arguments too; otherwise they are device memory already">,
    Option<"async", "async", "bool", "false",
           "Make the device operations asynchronous, as linearize-gpu-tokens does">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def LinearizeGpuTokensPass : Pass<"linearize-gpu-tokens", "::mlir::func::FuncOp"> {
  let summary = "Put the device operations of a block on one chain of tokens, so on one stream";
  let description = [{
    `gpu-to-llvm` converts only device operations with exactly one dependency, and destroys a stream
    once for every wait on a token of it. After this pass every block has chains of tokens that
    begin with a `gpu.wait async`, never fork, and end with one `gpu.wait`, so every stream is
    created and destroyed once.

    Program order is kept, which every order that the tokens allow contains. Operations that were
    synchronous become asynchronous, and the chain ends before the next host operation that may
    read or write memory; between operations that were asynchronous the host waits where it waited.

    Where tokens cross blocks or regions (block arguments, results and iteration arguments of
    `scf.if`, `scf.for`, `scf.while`, operands of their terminators, `arith.select`) the host waits
    before the operation that carries them. What is carried from there on is one completed token, a
    null pointer cast to the type, on which nothing depends; `canonicalize` removes most of it. A
    token that is a function's argument or result, or comes from or goes to another operation, is an
    error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}

def SharedAllocToDynamicPass : Pass<"shared-alloc-to-dynamic", "::mlir::ModuleOp"> {
  let summary = "Turn shared-memory allocations of kernels into views of dynamic shared memory";
  let description = [{
    A `memref.alloc` in shared memory inside a kernel would become a call of the device's `malloc`.
    This pass makes every one of them, and every workgroup attribution, a `memref.view` of one
    `gpu.dynamic_shared_memory`, at offsets that are multiples of 128 bytes or of the allocation's
    alignment, and sets `dynamic_shared_memory_size` on every `gpu.launch_func` of the kernel. A
    launch that gives a larger size keeps it. Static shared memory is left in no kernel that this
    pass gives dynamic; in one that lays out dynamic shared memory itself, allocations become
    workgroup attributions, of 48 KiB at most.

    Two buffers share space where all uses of one come before all uses of the other, in a block that
    all threads execute together as far as the pass can see: behind uniform conditions and bounds,
    or with a barrier of its own. A barrier is placed between them where there is none. Buffers that
    become other values (a yield, a branch, a select) or that asynchronous copies use share with no
    other.

    An allocation in a loop is the same memory in every turn. Where no barrier lies before its uses
    or behind them in the turn, one takes the allocation's place, so that a fast thread does not
    overwrite what a slow one still reads; where threads may go through the loop differently, so that
    none can be placed, or the buffer becomes another value, the allocation is refused.

    Memory space 3 is spelled `#gpu.address_space<workgroup>` afterwards. Sizes that are not
    constant, kernels that need more than `max-bytes`, and launches that give a smaller size than
    needed are errors.

    With `apart`, every buffer becomes (or stays) a workgroup attribution instead, with no limit: code
    with checks has red zones between those, so an access past one is not one of another, and what
    nobody wrote is not what another buffer left there. Each turn of a loop that allocates a buffer
    begins with `llvm.intr.lifetime.start` of it, which means something to `convert-nvvm-to-simt` only.

    A use that comes behind a `memref.dealloc` of its buffer is an error.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "232448",
           "Shared memory that a block can have; the default is the 227 KB of sm_90">,
    Option<"apart", "apart", "bool", "false",
           "Every buffer is a workgroup attribution of its own, for check mode">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def RepairDynamicSharedLinkagePass
    : Pass<"repair-dynamic-shared-linkage", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make dynamic shared memory an external global of 1024-byte alignment";
  let description = [{
    `convert-gpu-to-nvvm` turns `gpu.dynamic_shared_memory` into an internal global of no elements.
    The NVPTX backend gives such a global a byte of static shared memory, and other static shared
    globals then overlap it. An external one begins behind all static shared memory. All
    such globals of a module begin at the same place.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CheckKernelsLoweredPass : Pass<"check-kernels-lowered", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Name the operations of kernels that nothing lowers";
  let description = [{
    After `convert-gpu-to-nvvm`: an operation of a dialect other than `llvm` and `nvvm` is an error,
    but for casts between types, which go when they are reconciled.
  }];
}

def LowerReductionsPass : Pass<"lower-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower reductions over blocks and warps";
  let description = [{
    `gpu.all_reduce` becomes a tree over a workgroup attribution, with a barrier for each level: the
    lowering of `convert-gpu-to-nvvm` leaves the order of accesses by lanes of one warp to chance.
    All reductions of one type in a function share the attribution, which has an element for each
    thread of `known_block_size`, 1024 without. A region of several blocks is an error.

    `gpu.subgroup_reduce` becomes a butterfly of shuffles, one for each element of 8 to 64 bits. A
    block that is known to have no whole number of warps, or of clusters, is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def NumberProgramPointsPass : Pass<"number-program-points", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Number the operations that threads may wait at";
  let description = [{
    Two branches that end alike would become one block otherwise (greedy rewriting merges them), and
    two barriers one program point, of which reports of check mode could name but one.
  }];
}

def ExpandKernelOpsPass : Pass<"expand-kernel-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand what convert-gpu-to-nvvm has no lowering for";
  let description = [{
    Operations of `nvgpu` become those of NVVM (`convert-nvgpu-to-nvvm`).

    The rest only in `gpu.func`s: kernels that are `llvm.func`s stay as they are. Views of memrefs become
    pointer arithmetic (`expand-strided-metadata`), affine operations arithmetic (`lower-affine`).

    `convert-gpu-to-nvvm` makes calls of libdevice of math operations, which nothing defines in PTX.
    With `ptx-math` exponentials, logarithms, trigonometric and error functions become approximations
    in f32, also of f16 and bf16; those of f64 are errors. `replace-libdevice-calls` does the rest.
  }];
  let options = [
    Option<"ptxMath", "ptx-math", "bool", "false", "Expand math operations for PTX">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ReplaceLibdeviceCallsPass : Pass<"replace-libdevice-calls", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Use instructions of PTX in place of functions of libdevice";
  let description = [{
    After `convert-gpu-to-nvvm`: calls of `__nv_sqrtf`, `__nv_fmod`, `__nv_fabsf` and the like, which
    nothing defines in PTX that is assembled alone, become intrinsics of LLVM that the NVPTX backend
    has instructions for. A function that has none is an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AssignGpuStreamsPass : Pass<"assign-gpu-streams", "::mlir::ModuleOp"> {
  let summary = "Give independent device operations streams of their own, with events in between";
  let description = [{
    Puts the transfers, fills and launches of every host function (`func.func`) on up to
    `max-streams` streams, in program order on each, and makes a stream wait for an event of another
    where the order between the two matters. After it no `gpu.wait` is left; streams and events are
    made and destroyed by calls of the `mgpu*` functions that `gpu-to-llvm` itself would use, and
    every device operation has the one dependency that `gpu-to-llvm` asks for.

    What orders two operations of a block:

    - for operations that were synchronous, their accesses: one of them may write what the other
      may use. A launch accesses what its parameters' attributes and the kernel's body say, else it
      reads and writes every operand; launches of one `gpu.module` with variables in device memory,
      or whose module is not there any more, access those. Allocations are different memory
      than any other buffer that they do not reach by control flow, calls or memory; arguments and
      globals may be the same, unless `llvm.noalias` or `distinct-arguments` says otherwise;
    - for operations that were asynchronous, their tokens; further, what the host had waited for
      when it reached them, by accesses as above. Operations that the author left unordered stay so;
    - a `gpu.dealloc` comes after every use before it, whatever its tokens say.

    The host waits only before operations that may access what is in flight and that relied on its
    end, before terminators, and before operations with regions that contain device operations.
    As the runtime may free only what is not in use, and a device may finish all its work before it
    frees or allocates, a free is put behind the next wait that covers the buffer's uses, at the
    latest at the end of its block, and an allocation before the work in flight. When
    `max-deferred-bytes` are waiting to be freed, the next allocation waits for them.

    Streams are made at the function's entry and destroyed at its returns; an event is destroyed
    behind the last wait for it, in the same block. Tokens that cross blocks or regions are treated
    as `linearize-gpu-tokens` does; the same ones are errors.
  }];
  let options = [
    Option<"maxStreams", "max-streams", "unsigned", "4", "Streams that a function has at once">,
    Option<"maxDeferredBytes", "max-deferred-bytes", "int64_t", "1073741824",
           "Device memory that may wait to be freed when more is allocated">,
    Option<"distinctArguments", "distinct-arguments", "bool", "false",
           "Arguments do not overlap one another unless a call in the module passes them so, as "
           "convert-memcpy-to-gpu takes them">,
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}

def LaunchWithPointersPass : Pass<"launch-with-pointers", "::mlir::ModuleOp"> {
  let summary = "Pass buffers to kernels that are llvm.funcs as pointers";
  let description = [{
    A kernel that is an `llvm.func` takes `!llvm.ptr` where a `gpu.func` takes a memref. In every
    `gpu.launch_func` of such a kernel this pass replaces a memref by the address of its first
    element, so that `gpu-to-llvm` without bare pointers does not pass a descriptor. The rest of the
    launch stays as it is; so do launches of kernels that are `gpu.func`s, or that are compiled
    already. It comes after the transfers are placed, which needs to see the memrefs.

    A buffer whose elements do not lie in row-major order without gaps is an error; so are arguments
    that differ from the parameters in number or type.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def BufferizeTensorsPass : Pass<"bufferize-tensors", "::mlir::ModuleOp"> {
  let summary = "Bufferize a module that has tensors, and free what that allocates";
  let description = [{
    Runs MLIR's one-shot bufferization across functions, with identity layouts at their boundaries,
    and its buffer deallocation. A module without tensors stays as it is: its author allocates and
    frees. Tensor arguments of public functions are never written, but copied where the function
    would, unless `bufferization.writable` allows it.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect"
  ];
}

def GpuModulesToBinaryPass : Pass<"gpu-modules-to-binary", "::mlir::ModuleOp"> {
  let summary = "Replace every gpu.module by a gpu.binary with its device image";
  let description = [{
    Takes `gpu.module`s in the LLVM dialect, as `mmtune-gpu-to-binary` lowers them. The image is a
    cubin (or PTX, where there is no assembler) for CUDA, an object for the SIMT device. Attributes
    of the module that are not its own stay on the binary.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"simt\"", "Kind of device: simt or cuda">,
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
    Option<"assemble", "assemble", "bool", "true", "For CUDA: a cubin, not PTX, where ptxas is found">,
    Option<"checks", "checks", "bool", "false", "For the SIMT device: code that check mode can watch">,
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}

def EmitPackedEntriesPass : Pass<"emit-packed-entries", "::mlir::ModuleOp"> {
  let summary = "Add an entry to every C interface that takes its arguments packed";
  let description = [{
    For each `@_mlir_ciface_f` of the LLVM dialect that has a body, adds
    `@_mlir_packed_f(!llvm.ptr)`. Its parameter points at an array of pointers, one to each argument
    of the C interface and one to the place of its result, if it has one. So a caller needs no code
    generation to call a function whose type it only knows at run time.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ScheduleMatmulPass : Pass<"schedule-matmul", "::mlir::ModuleOp"> {
  let summary = "Replace matrix multiplications by launches of tuned kernels";
  let description = [{
    Works on linalg operations on buffers. A product is recognised by its indexing maps and body, not
    its name: `C[b,m,n] += A[b,m,k] * B[b,k,n]` or `B[b,n,k]` in f32, on dense memrefs of static
    shape, where each of b (or none), m, n, k may be several neighbouring dimensions. Other products
    (A transposed, dynamic shapes, strided operands, other element types) keep their place for
    `map-linalg-to-gpu`, with a remark that says why.

    Kernels overwrite C. A `linalg.fill` with zeros just before the product is dropped; otherwise
    what C held is added at the end, from a copy of it, with a remark.

    Elementwise linalg operations behind the product become its epilogue while they are bias (an
    operand that varies along columns only), add (an operand of C's shape), relu
    (`arith.maximumf` with +0, or a compare and select that keep NaN) or scale (by a constant), the
    buffer in between is used by nobody else, and nothing between product and consumer writes an
    operand or sees the result. The launch then stands where the last of them stood.

    The product becomes the launches of a kernel family's schedule, in a `gpu.module` for each
    problem and schedule, `@matmul_MxNxK_i`, with the attributes `mmtune.problem`,
    `mmtune.schedule`, `mmtune.source` and `mmtune.code_digest`. Operands are host memrefs, which
    `convert-memcpy-to-gpu` moves. The schedule is the problem's own in the tuning spec, else that
    of the nearest problem, else a default one; a remark names a schedule that is not the problem's
    own, and the loss to expect. `kernels/scheduling/README.md` states the rule.
  }];
  let options = [
    Option<"spec", "spec", "std::string", "",
           "Tuning spec (JSON file); empty: default schedules">,
    Option<"device", "device", "std::string", "\"simt\"", "Kind of device: simt or cuda">,
    Option<"arch", "arch", "std::string", "\"sm_80\"", "Architecture to generate for">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}

def MapLinalgToGpuPass : Pass<"map-linalg-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Launch linalg operations on buffers with one thread for each parallel point";
  let description = [{
    Every linalg operation with a body, on memrefs, becomes a `gpu.launch`: threads count the
    parallel iterators' points, the last one fastest, and each runs the reduction iterators as
    loops. Blocks have `block-size` threads, fewer where there are fewer points; a grid that cannot
    hold all points, or whose size is known only when the program runs, goes over them in strides.
    An output that no reduction iterator indexes is loaded once and stored once, unless an input is
    the same buffer. Indexing maps are computed in `arith`.

    An operation without parallel iterators runs on one thread, with a remark. An output may be an
    input too if both have the same map; what overlaps otherwise is undefined, as linalg has it.

    Operands that are tensors, element types that no thread can hold (complex numbers, integers
    of more than 64 bits, 8-bit floats), and linalg operations without a body are errors. Loops
    (`scf`, `affine`) and device code are left alone. `gpu-kernel-outlining` comes next.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", "256", "Threads of a block">,
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // MMTUNE_KERNELS_PASSES
