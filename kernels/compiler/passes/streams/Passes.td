// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def LinearizeGpuTokensPass : Pass<"linearize-gpu-tokens", "::mlir::func::FuncOp"> {
  let summary = "Put the device operations of a block on one chain of tokens, so on one stream";
  let description = [{
    `gpu-to-llvm` converts only device operations with exactly one dependency, and destroys a stream once for every wait
    on a token of it. After this pass every block has chains of tokens that begin with a `gpu.wait async`, never fork,
    and end with one `gpu.wait`, so every stream is created and destroyed once.

    Program order is kept, which every order that the tokens allow contains. Operations that were synchronous become
    asynchronous, and the chain ends before the next host operation that may read or write memory; between operations
    that were asynchronous the host waits where it waited.

    Where tokens cross blocks or regions (block arguments, results and iteration arguments of `scf.if`, `scf.for`,
    `scf.while`, operands of their terminators, `arith.select`) the host waits before the operation that carries them.
    From there on it carries a completed token, a null pointer cast to the type, on which nothing depends;
    `canonicalize` removes most of it. A token that is a function's argument or result, or comes from or goes to another
    operation, is an error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}

def AssignGpuStreamsPass : Pass<"assign-gpu-streams", "::mlir::ModuleOp"> {
  let summary = "Put independent device operations on separate streams, ordered by events";
  let description = [{
    Puts the transfers, fills and launches of every host function (`func.func`) on up to `max-streams` streams, in
    program order on each, and makes a stream wait for an event of another where the order between the two matters.
    After it no `gpu.wait` is left; streams and events are made and destroyed by calls of the `mgpu*` functions that
    `gpu-to-llvm` itself would use, and every device operation has the one dependency that `gpu-to-llvm` asks for.

    What orders two operations of a block:

    - for operations that were synchronous, their accesses: one of them may write memory that the other may use. The
      accesses of a launch come from its parameters' attributes and the kernel's body; else it reads and writes every
      operand. Launches of one `gpu.module` with variables in device memory, or whose module was removed, access those.
      An allocation overlaps no other buffer that it does not reach by control flow, calls or memory; arguments and
      globals may overlap, unless `llvm.noalias` or `distinct-arguments` says otherwise;
    - for operations that were asynchronous, their tokens, and the accesses, as above, that the host had waited for when
      it reached them. Operations that the author left unordered stay unordered;
    - a `gpu.dealloc` comes after every earlier use, whatever its tokens.

    The host waits only before operations that may access memory in use by operations in flight and that relied on their
    end, before terminators, and before operations with regions that contain device operations. As the runtime may free
    only unused memory, and a device may finish all its work before it frees or allocates, a free is put after the next
    wait that covers the buffer's uses, at the latest at the end of its block, and an allocation before the work in
    flight. When `max-deferred-bytes` are waiting to be freed, the next allocation waits for them.

    Streams are made at the function's entry and destroyed at its returns; an event is destroyed behind the last wait
    for it, in the same block. Tokens that cross blocks or regions are treated as `linearize-gpu-tokens` does; the same
    ones are errors.
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
