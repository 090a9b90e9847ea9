// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ABI between compiled kernels and the simulator (the SIMT device, which runs GPU kernels on the CPU). The compiler
// pass convert-nvvm-to-simt turns a kernel into an ordinary host object: the function body of one GPU thread. The
// compiled code reads the structs below at fixed offsets, and calls the mmtune_simt_* functions for everything that a
// CPU has no instruction for: barriers, warp operations, asynchronous copies, tensor cores. The simulator implements
// these functions.
//
// For each kernel the object exports two symbols:
// - `<kernel>__simt(ThreadContext*, void** arguments)`, the body of one thread;
// - `<kernel>__simt_static_shared`, a uint32_t with the bytes of static shared memory (0 or a multiple of 1024).
// A kernel that limits the threads of its blocks (.reqntid, .maxntid) also has `<kernel>__simt_thread_bounds`, a
// ThreadBounds.
// A kernel that demands a cluster size also has `<kernel>__simt_cluster`: three uint32_t.
// A kernel that names its barriers and warps for reports also has `<kernel>__simt_names`, a text.
//
// The shared memory of a block is one arena: static variables first, at offsets that the pass chose, then the dynamic
// part.
//
// There are three kinds of objects:
// - Plain objects, for fast runs and for schedule fuzzing, which runs threads in random orders.
// - Objects for the race detector. They call mmtune_simt_access() before every access of memory that other threads may
//   access. They have red zones (unused bytes) between shared variables, so that an access out of bounds hits one. They
//   export the tables of kSitesSymbol, kRedZonesSymbol and kVariablesSymbol.
// - Objects for profiling. In addition, every operation has a site of its own, branches and loop iterations are
//   reported, and the table of kAccessWidthsSymbol is exported.
//
// A `site` is an index into the table of sites, which names the operation and its source location in reports. It is 0
// in plain objects.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune::simt {

/// The view that compiled code has of its thread: the special registers of PTX, and the shared memory of the block.
struct ThreadContext {
  uint32_t tid[3];      ///< Index of the thread in its block.
  uint32_t ctaid[3];    ///< Index of the block in the grid.
  uint32_t ntid[3];     ///< Extents of the block.
  uint32_t nctaid[3];   ///< Extents of the grid.
  uint32_t lane;        ///< Index of the thread in its warp.
  uint32_t warp;        ///< Index of the warp in its block.
  uint32_t linear_tid;  ///< Index of the thread in its block, x fastest.
  uint32_t warps;       ///< Number of warps of the block.
  char* shared;         ///< The shared memory of the block, aligned to kArenaAlignment.
  uint32_t dynamic_shared_bytes;
  uint32_t cluster_rank;  ///< Index of the block in its cluster, x fastest; 0 without clusters.
};

/// The type of a `<kernel>__simt` function.
using KernelEntry = void (*)(ThreadContext*, void** arguments);

/// The suffixes of the exported symbols.
inline constexpr char kEntrySuffix[] = "__simt";
inline constexpr char kStaticSharedSuffix[] = "__simt_static_shared";
inline constexpr char kClusterSuffix[] = "__simt_cluster";
inline constexpr char kThreadBoundsSuffix[] = "__simt_thread_bounds";
/// The suffix of a kernel's names for reports: a text that ends with a zero, and has a line for each range of things
/// that it names. What follows the second number is the name; it may have blanks.
///
///   mbarriers 51200 4 full   the 4 mbarriers from byte 51200 of dynamic shared memory on are full[0] to full[3]
///   barriers 5 2 order       the named barriers 5 and 6 are order[0] and order[1]
///   warps 4 4 consumer 1     the warps 4 to 7 of each block are "consumer 1"
///
/// A range of one has a name without an index.
inline constexpr char kNamesSuffix[] = "__simt_names";
/// The limits that a kernel sets on the size of its blocks.
struct ThreadBounds {
  uint32_t required[3];  ///< The extents that a block must have; 0: any.
  uint32_t most;         ///< The largest number of threads of a block; 0: the device's limit.
};
/// The alignment of dynamic shared memory within the arena.
inline constexpr size_t kDynamicSharedAlignment = 1024;
/// The alignment of a block's shared memory. The low 18 bits of a pointer are then its shared-memory address, which the
/// matrix descriptors of tensor cores contain.
inline constexpr size_t kArenaAlignment = 256 * 1024;
/// The largest number of blocks of a cluster. Their shared memory lies kArenaAlignment bytes apart, in the order of
/// their ranks.
inline constexpr uint32_t kMaxClusterBlocks = 8;

// The symbols of the tables. Each table ends with an entry of zeros, except for that of access widths.
inline constexpr char kSitesSymbol[] = "mmtune_simt_sites";          ///< Site[]; entry 0 is "unknown".
inline constexpr char kRedZonesSymbol[] = "mmtune_simt_red_zones";   ///< RedZone[], by offset.
inline constexpr char kVariablesSymbol[] = "mmtune_simt_variables";  ///< Variable[].
/// uint32_t[], in objects for profiling: for each site, the largest number of bytes that one instruction accesses per
/// lane.
inline constexpr char kAccessWidthsSymbol[] = "mmtune_simt_access_widths";
/// The minimum size of the red zone after each static shared variable and each variable in global memory.
inline constexpr uint32_t kRedZoneBytes = 128;

/// A program point in reports.
struct Site {
  const char* operation;  ///< The operation of MLIR: "llvm.load", "nvvm.mbarrier.arrive", …
  const char* location;   ///< The source location: "kernel.mlir:12:5", "load A tile"; "unknown" if there is none.
  uint64_t alignment;     ///< The address of a load, store or atomic must be a multiple of it; 0 or 1: any address.
  /// The name in reports: the instruction of PTX ("ld.shared.f32"), or the operation. Null: the operation.
  const char* name = nullptr;
};

/// Bytes [begin, end) of static shared memory that belong to no variable.
struct RedZone {
  uint32_t begin;
  uint32_t end;
};

/// A variable or constant of the kernel's module, in global memory.
struct Variable {
  const char* name;
  const void* address;
  uint64_t bytes;
  uint64_t is_constant;  ///< 0 or 1.
};

/// The tables that an object exports. A table that it does not export is null.
struct InstrumentationTables {
  const Site* sites = nullptr;
  const RedZone* red_zones = nullptr;
  const Variable* variables = nullptr;
  const uint32_t* access_widths = nullptr;  ///< By site; for profiling only.
};

/// How an access reads, writes and orders memory. Atomics order memory like those of C++; kAtomic is a
/// read-modify-write with acquire and release. Volatile accesses count as relaxed atomics.
enum class AccessKind : uint32_t {
  kRead,
  kWrite,
  kAtomic,
  kAtomicRelaxed,
  kAtomicAcquire,
  kAtomicRelease,
  kAtomicRead,
  kAtomicReadAcquire,
  kAtomicWrite,
  kAtomicWriteRelease,
};

/// True if accesses of this kind are atomic.
constexpr bool IsAtomic(AccessKind kind) { return kind >= AccessKind::kAtomic; }
/// True if accesses of this kind read memory.
constexpr bool Reads(AccessKind kind) {
  return kind != AccessKind::kWrite && kind != AccessKind::kAtomicWrite && kind != AccessKind::kAtomicWriteRelease;
}
/// True if accesses of this kind write memory.
constexpr bool Writes(AccessKind kind) {
  return kind != AccessKind::kRead && kind != AccessKind::kAtomicRead && kind != AccessKind::kAtomicReadAcquire;
}
/// True if accesses of this kind order memory as an acquire.
constexpr bool Acquires(AccessKind kind) {
  return kind == AccessKind::kAtomic || kind == AccessKind::kAtomicAcquire || kind == AccessKind::kAtomicReadAcquire;
}
/// True if accesses of this kind order memory as a release.
constexpr bool Releases(AccessKind kind) {
  return kind == AccessKind::kAtomic || kind == AccessKind::kAtomicRelease || kind == AccessKind::kAtomicWriteRelease;
}

/// The element types of matrices in registers. The numbers are part of the ABI.
enum class ElementType : uint32_t { kNone, kF16, kBf16, kTf32, kF32, kF64, kS8, kU8, kS32, kB1, kF8E4M3, kF8E5M2 };

/// An operation that the lanes of a warp execute together. Each lane passes its operands (in) and gets its results
/// (out) as 32-bit words. A 64-bit value (pointer, descriptor, f64) is two words, the low one first. A predicate is a
/// word of 0 or 1.
enum class WarpOpKind : uint32_t {
  /// shfl.sync. in: value, source lane or offset, clamp, as in `nvvm.shfl.sync`; mode: ShuffleMode. out: value,
  /// predicate.
  kShuffle,
  /// vote.sync. in: predicate; mode: VoteMode. out: ballot, or a predicate.
  kVote,
  /// redux.sync. in: value; mode: ReduceMode. out: value.
  kReduce,
  /// elect.sync. out: lane of the leader, predicate.
  kElect,
  /// match.sync. in: value (two words with kWide); mode: MatchMode. out: mask[, predicate with kAll].
  kMatch,
  /// ldmatrix. in: address (2 words); tiles: 1, 2 or 4, of m x n elements of type a; flags: kTransposed. out:
  /// one word for each tile.
  kLoadMatrix,
  /// stmatrix. in: address (2 words), one word for each tile; tiles and flags as for kLoadMatrix. out: nothing.
  kStoreMatrix,
  /// mma.sync m x n x k, A row-major, B column-major, types a, b, c, d. in: A, B, C fragments. out: D fragment.
  /// flags: kSaturate.
  kMma,
  /// The part of wgmma.mma_async m64 x n x k that one warp computes, 16 rows of D; types a, b, d. in: D fragment (n / 2
  /// words of f32, n / 4 of f16), A (2 words of descriptor, or 4 of fragment with kRegistersA), descriptor of B (2
  /// words), scale of D (0 or 1). flags: kNegateA, kNegateB, kTransposedA, kTransposedB (operand is MN-major),
  /// kRegistersA. out: D fragment. early_access_line and unfenced_access_line name misuse of its registers that the PTX
  /// compiler has found (ptx/wgmma_registers.h).
  kWgmma,
};
/// Variants of the operations above.
enum class ShuffleMode : uint32_t { kUp, kDown, kButterfly, kIndex };
enum class VoteMode : uint32_t { kAll, kAny, kUniform, kBallot };
enum class ReduceMode : uint32_t { kAdd, kMinS, kMaxS, kMinU, kMaxU, kAnd, kOr, kXor, kMinF, kMaxF };
enum class MatchMode : uint32_t { kAny, kAll };
/// Flags of the operations above.
enum WarpOpFlags : uint32_t {
  kTransposed = 1,
  kSaturate = 2,
  kNegateA = 4,
  kNegateB = 8,
  kTransposedA = 16,
  kTransposedB = 32,
  kRegistersA = 64,
  kWide = 128,
  kAbsolute = 256,  ///< kMinF and kMaxF compare magnitudes.
  kPropagateNan = 512,
};

/// The description of one warp operation, a constant in the compiled object.
struct WarpOp {
  WarpOpKind kind;
  uint32_t site;
  uint32_t inputs;   ///< Words per lane.
  uint32_t outputs;  ///< Words per lane.
  union {
    uint32_t mode;  ///< The mode, as a number.
    /// For kWgmma: the line of the PTX that accesses its registers before it is complete; 0: none.
    uint32_t early_access_line;
  };
  uint32_t flags;
  union {
    uint32_t tiles;  ///< For kLoadMatrix and kStoreMatrix.
    /// For kWgmma: the line that accesses its registers before it is issued, without a wgmma.fence in between; 0: none.
    uint32_t unfenced_access_line;
  };
  uint32_t m, n, k;
  ElementType a, b, c, d;
};
static_assert(sizeof(WarpOp) == 14 * sizeof(uint32_t));

/// True if PTX has a wgmma.mma_async with N = `n` for elements of A of type `a` (PTX ISA, "Shape"). For floating point,
/// n is a multiple of 8 up to 256; for integers it is 8, 16, 24 or a multiple of 16.
constexpr bool IsWgmmaColumns(ElementType a, uint32_t n) {
  const bool integers = a == ElementType::kS8 || a == ElementType::kU8 || a == ElementType::kB1;
  return n >= 8 && n <= 256 && n % (integers && n > 24 ? 16 : 8) == 0;
}

/// The operation by which a tensor copy to global memory combines its elements with those in memory.
enum class CopyReduction : uint32_t { kNone, kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor };

/// The special registers that describe the cluster of a block. Registers with x, y and z components have three
/// consecutive numbers, of which the first is listed.
enum class ClusterRegister : uint32_t {
  kClusterId,        ///< %clusterid
  kClusters = 3,     ///< %nclusterid
  kBlockId = 6,      ///< %cluster_ctaid
  kBlocks = 9,       ///< %cluster_nctaid
  kBlockRank = 12,   ///< %cluster_ctarank
  kBlockCount = 13,  ///< %cluster_nctarank
};

/// The kinds of fences.
enum class FenceKind : uint32_t {
  kMemory,       ///< membar, fence.acq_rel, fence.sc: orders the accesses before and after it.
  kAsyncProxy,   ///< fence.proxy.async: orders ordinary and asynchronous accesses.
  kBarrierInit,  ///< fence.mbarrier_init: makes an initialised mbarrier visible to asynchronous copies.
  kBlockMemory,  ///< Like kMemory, of scope .cta: threads of other blocks are not ordered by it.
};

/// True if the fence orders ordinary accesses of memory.
constexpr bool IsOfMemory(FenceKind kind) { return kind == FenceKind::kMemory || kind == FenceKind::kBlockMemory; }

// The functions that compiled code calls. Each does what the PTX instruction in its comment does.
extern "C" {

/// Reports an access before it is made, to the race detector or profiler. Plain objects do not call it, and others do
/// not for memory known to be on the stack.
void mmtune_simt_access(ThreadContext*, const void* address, uint64_t bytes, AccessKind kind, uint32_t site);
/// Reports that a buffer in shared memory, from `shared` to the next red zone, is reused. Its contents count as
/// uninitialised again. Only in objects for the race detector.
void mmtune_simt_shared_begins(ThreadContext*, const void* shared);

/// Reports a conditional branch before it is executed; `taken` is the condition. Only in objects for profiling.
void mmtune_simt_branch(ThreadContext*, uint32_t taken, uint32_t site);
/// Reports the start of a loop iteration. Only in objects for profiling.
void mmtune_simt_iterate(ThreadContext*);

/// bar.sync id[, threads]. 0 threads means the whole block.
void mmtune_simt_barrier(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
/// bar.arrive id, threads.
void mmtune_simt_barrier_arrive(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
/// bar.red: like bar.sync, and returns the combination of all predicates. kUniform returns the number of true ones
/// (.popc); kBallot is not supported.
uint32_t mmtune_simt_barrier_reduce(ThreadContext*, uint32_t id, uint32_t threads, VoteMode mode, uint32_t predicate,
                                    uint32_t site);
/// Returns a special register of the cluster.
uint32_t mmtune_simt_cluster_register(ThreadContext*, ClusterRegister which);
/// barrier.cluster.arrive; with `relaxed` 1, .relaxed.
void mmtune_simt_cluster_arrive(ThreadContext*, uint32_t relaxed, uint32_t site);
/// barrier.cluster.wait.
void mmtune_simt_cluster_wait(ThreadContext*, uint32_t site);
/// mapa: returns the address in block `rank` of the cluster that corresponds to `shared`.
void* mmtune_simt_mapa(ThreadContext*, const void* shared, uint32_t rank, uint32_t site);
/// Convert a host pointer into the shared memory of a block of the cluster to its shared::cluster address, a number
/// (ops/clusters.h), and back. A shared::cta address is also a valid shared::cluster address.
uint32_t mmtune_simt_cluster_address(ThreadContext*, const void* shared);
void* mmtune_simt_cluster_pointer(ThreadContext*, uint64_t address);
/// bar.warp.sync mask.
void mmtune_simt_barrier_warp(ThreadContext*, uint32_t mask, uint32_t site);
/// Executes a fence of this kind.
void mmtune_simt_fence(ThreadContext*, FenceKind kind, uint32_t site);
/// nanosleep: lets other threads run.
void mmtune_simt_yield(ThreadContext*, uint32_t site);

/// cp.async of `bytes` (4, 8 or 16): copies `source_bytes`, and fills the rest with zeros.
void mmtune_simt_cp_async(ThreadContext*, void* shared, const void* global, uint32_t bytes, uint32_t source_bytes,
                          uint32_t site);
void mmtune_simt_cp_async_commit(ThreadContext*);
/// Waits until at most `groups` committed groups are unfinished; UINT32_MAX waits for every copy, committed or not.
void mmtune_simt_cp_async_wait(ThreadContext*, uint32_t groups, uint32_t site);
/// cp.async.mbarrier.arrive[.noinc]: arrives when the thread's copies so far are done.
void mmtune_simt_cp_async_mbarrier_arrive(ThreadContext*, void* barrier, uint32_t no_increment, uint32_t site);

/// Executes `op` for the lanes of `mask`, all of which must call it with the same `op`. Returns when all have arrived.
void mmtune_simt_warp(ThreadContext*, const WarpOp* op, uint32_t mask, const uint32_t* in, uint32_t* out);
/// Executes `count` independent operations of the whole warp. `in` and `out` have the words of all operations, one
/// operation after another.
void mmtune_simt_warp_batch(ThreadContext*, const WarpOp* ops, uint32_t count, const uint32_t* in, uint32_t* out);

/// mbarrier.init, .inval, .expect_tx and .complete_tx.
void mmtune_simt_mbarrier_init(ThreadContext*, void* barrier, uint32_t count, uint32_t site);
void mmtune_simt_mbarrier_inval(ThreadContext*, void* barrier, uint32_t site);
void mmtune_simt_mbarrier_expect_tx(ThreadContext*, void* barrier, uint32_t bytes, uint32_t site);
void mmtune_simt_mbarrier_complete_tx(ThreadContext*, void* barrier, uint32_t bytes, uint32_t site);
/// mbarrier.arrive[.expect_tx][_drop]: expects `bytes` more, then arrives `count` times. With `drop` 1, later phases
/// expect `count` fewer arrivals, too. Returns the mbarrier's state before the arrival.
uint64_t mmtune_simt_mbarrier_arrive(ThreadContext*, void* barrier, uint32_t count, uint32_t bytes, uint32_t drop,
                                     uint32_t site);
/// mbarrier.test_wait or .try_wait. Returns 1 if the phase of `state` (or the phase with parity `state`) is complete.
/// If it is not complete, lets other threads run and tests once more; with `blocking` 1, returns only when it is
/// complete.
uint32_t mmtune_simt_mbarrier_test(ThreadContext*, void* barrier, uint64_t state, uint32_t is_parity, uint32_t blocking,
                                   uint32_t site);

/// cp.async.bulk.tensor.<rank>d. `map` was made by EncodeTensorMap(); coordinates are innermost first. With a
/// `multicast` mask other than 0, a load writes to the same shared memory offset, and signals the mbarrier at the same
/// offset, in each block of the cluster whose rank is a bit of the mask.
void mmtune_simt_tensor_load(ThreadContext*, void* shared, const void* map, uint32_t rank, const int32_t* coordinates,
                             void* barrier, uint32_t multicast, uint32_t site);
void mmtune_simt_tensor_store(ThreadContext*, const void* map, const void* shared, uint32_t rank,
                              const int32_t* coordinates, CopyReduction reduction, uint32_t site);
/// cp.async.bulk without a tensor map. `bytes` is a multiple of 16.
void mmtune_simt_bulk_load(ThreadContext*, void* shared, const void* global, uint32_t bytes, void* barrier,
                           uint32_t multicast, uint32_t site);
/// cp.async.bulk.shared::cluster.shared::cta: copies to the shared memory of a block of the cluster, in which the
/// barrier lies too.
void mmtune_simt_bulk_send(ThreadContext*, void* to, const void* from, uint32_t bytes, void* barrier, uint32_t site);
void mmtune_simt_bulk_store(ThreadContext*, void* global, const void* shared, uint32_t bytes, uint32_t site);
/// cp.async.bulk.commit_group.
void mmtune_simt_bulk_commit(ThreadContext*);
/// cp.async.bulk.wait_group[.read]: waits until at most `groups` groups are unfinished; with `read` 1, until at most
/// `groups` groups still read their source.
void mmtune_simt_bulk_wait(ThreadContext*, uint32_t groups, uint32_t read, uint32_t site);

/// wgmma.fence, .commit_group and .wait_group.
void mmtune_simt_wgmma_fence(ThreadContext*, uint32_t site);
void mmtune_simt_wgmma_commit(ThreadContext*, uint32_t site);
void mmtune_simt_wgmma_wait(ThreadContext*, uint64_t groups, uint32_t site);
/// setmaxnreg.inc or, with `is_increase` 0, .dec. The kernel starts with `at_entry` registers a thread. Called only by
/// code that is compiled for race detection.
void mmtune_simt_set_max_registers(ThreadContext*, uint32_t registers, uint32_t is_increase, uint32_t at_entry,
                                   uint32_t site);

/// CUDA's __assertfail: ends the launch with `message`. Does not return.
void mmtune_simt_assert_fail(ThreadContext*, const char* message, uint32_t site);

}  // extern "C"
}  // namespace mmtune::simt
