// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ABI between compiled kernels and the simulator. The pass convert-nvvm-to-simt emits loads at these offsets,
// constants of these layouts and calls of these functions; the simulator defines the functions.
//
// A SIMT object exports, for each kernel, `<kernel>__simt(ThreadContext*, void** arguments)`, the body of one thread,
// and `<kernel>__simt_static_shared`, a uint32_t with the bytes of static shared memory (0 or a multiple of 1024).
// A block's shared memory is one arena: static globals first, at offsets that the pass chose, then the dynamic part.
//
// Objects come in three kinds:
//  - plain: for fast runs and schedule fuzzing;
//  - instrumented for the race detector: calls mmtune_simt_access() before every access of memory that is not the
//    thread's own, has red zones between static shared globals and between variables, and exports the tables of
//    kSitesSymbol, kRedZonesSymbol and kVariablesSymbol;
//  - instrumented for profiling: the same, but no two operations share a site, branches and loop iterations are
//    reported, too, and the table of kAccessWidthsSymbol is exported.
// A `site` is an index into the table of sites, which names the operation in reports; it is 0 in plain objects.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmtune::simt {

struct ThreadContext {
  uint32_t tid[3];
  uint32_t ctaid[3];
  uint32_t ntid[3];
  uint32_t nctaid[3];
  uint32_t lane;
  uint32_t warp;
  uint32_t linear_tid;
  uint32_t warps;
  char* shared;  ///< The block's arena, 1024-byte aligned.
  uint32_t dynamic_shared_bytes;
  uint32_t reserved;
};

using KernelEntry = void (*)(ThreadContext*, void** arguments);

inline constexpr char kEntrySuffix[] = "__simt";
inline constexpr char kStaticSharedSuffix[] = "__simt_static_shared";
inline constexpr size_t kDynamicSharedAlignment = 1024;
/// The arena is so aligned that the low 18 bits of a pointer are its shared address, as in matrix descriptors.
inline constexpr size_t kArenaAlignment = 256 * 1024;

// Tables of instrumented objects. Each ends with an entry of zeros, except for that of access widths.
inline constexpr char kSitesSymbol[] = "mmtune_simt_sites";          ///< Site[]; entry 0 is "unknown".
inline constexpr char kRedZonesSymbol[] = "mmtune_simt_red_zones";   ///< RedZone[], by offset.
inline constexpr char kVariablesSymbol[] = "mmtune_simt_variables";  ///< Variable[].
/// uint32_t[], for profiling only: by site, the most bytes that one instruction accesses in a lane.
inline constexpr char kAccessWidthsSymbol[] = "mmtune_simt_access_widths";
/// The least number of bytes of the red zone behind each static shared global and each variable.
inline constexpr uint32_t kRedZoneBytes = 128;

/// A program point that reports can name.
struct Site {
  const char* operation;  ///< "llvm.load", "nvvm.mbarrier.arrive", …
  const char* location;   ///< "kernel.mlir:12:5", "load A tile", …; "unknown" where the operation has none.
};

/// Bytes [begin, end) of the arena's static part, which belong to no global.
struct RedZone {
  uint32_t begin;
  uint32_t end;
};

/// A variable or constant of the module, in global memory.
struct Variable {
  const char* name;
  const void* address;
  uint64_t bytes;
  uint64_t is_constant;  ///< 0 or 1.
};

/// The tables that an object exports; null where it has none.
struct InstrumentationTables {
  const Site* sites = nullptr;
  const RedZone* red_zones = nullptr;
  const Variable* variables = nullptr;
  const uint32_t* access_widths = nullptr;  ///< By site; for profiling only.
};

/// How an access reads, writes and orders memory. Atomics order memory as those of C++ do: kAtomic is a
/// read-modify-write that acquires and releases. Volatile accesses are relaxed atomics.
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

constexpr bool IsAtomic(AccessKind kind) { return kind >= AccessKind::kAtomic; }
constexpr bool Reads(AccessKind kind) {
  return kind != AccessKind::kWrite && kind != AccessKind::kAtomicWrite && kind != AccessKind::kAtomicWriteRelease;
}
constexpr bool Writes(AccessKind kind) {
  return kind != AccessKind::kRead && kind != AccessKind::kAtomicRead && kind != AccessKind::kAtomicReadAcquire;
}
constexpr bool Acquires(AccessKind kind) {
  return kind == AccessKind::kAtomic || kind == AccessKind::kAtomicAcquire || kind == AccessKind::kAtomicReadAcquire;
}
constexpr bool Releases(AccessKind kind) {
  return kind == AccessKind::kAtomic || kind == AccessKind::kAtomicRelease || kind == AccessKind::kAtomicWriteRelease;
}

/// Element types of matrices in registers. The numbers are the ABI.
enum class ElementType : uint32_t { kNone, kF16, kBf16, kTf32, kF32, kF64, kS8, kU8, kS32, kB1, kF8E4M3, kF8E5M2 };

/// An operation that the lanes of a warp execute together. Operands (in) and results (out) are 32-bit words per lane; a
/// 64-bit one (a pointer, a descriptor, an f64) takes two words, the low one first; a predicate is a word of 0 or 1.
enum class WarpOpKind : uint32_t {
  /// in: value, lane or offset b, clamp c as `nvvm.shfl.sync` has them; variant: ShuffleMode. out: value, predicate.
  kShuffle,
  /// in: predicate; variant: VoteMode. out: ballot, or a predicate.
  kVote,
  /// in: value; variant: ReduceMode. out: value.
  kReduce,
  /// out: leader's lane, predicate.
  kElect,
  /// in: value (two words with kWide); variant: MatchMode. out: mask[, predicate with kAll].
  kMatch,
  /// in: address (2 words); count: 1, 2 or 4 tiles of m x n elements of type a; flags: kTransposed. out: count words.
  kLoadMatrix,
  /// in: address (2 words), count words; as kLoadMatrix. out: nothing.
  kStoreMatrix,
  /// mma.sync m x n x k, A row-major, B column-major, types a, b, c, d. in: A, B, C fragments. out: D fragment.
  /// flags: kSaturate.
  kMma,
  /// wgmma.mma_async m64 x n x k of one warp's 16 rows, types a, b, d. in: D fragment (n / 2 words of f32, n / 4 of
  /// f16), A (2 words of descriptor, or 4 of fragment with kRegistersA), descriptor of B (2 words), scale of D (0 or
  /// 1). flags: kNegateA, kNegateB, kTransposedA, kTransposedB (operand is MN-major), kRegistersA. out: D fragment.
  kWgmma,
};
enum class ShuffleMode : uint32_t { kUp, kDown, kButterfly, kIndex };
enum class VoteMode : uint32_t { kAll, kAny, kUniform, kBallot };
enum class ReduceMode : uint32_t { kAdd, kMinS, kMaxS, kMinU, kMaxU, kAnd, kOr, kXor, kMinF, kMaxF };
enum class MatchMode : uint32_t { kAny, kAll };
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

/// Describes one warp operation; a constant of the compiled object.
struct WarpOp {
  WarpOpKind kind;
  uint32_t site;
  uint32_t inputs;   ///< Words per lane.
  uint32_t outputs;  ///< Words per lane.
  uint32_t variant;
  uint32_t flags;
  uint32_t count;
  uint32_t m, n, k;
  ElementType a, b, c, d;
};
static_assert(sizeof(WarpOp) == 14 * sizeof(uint32_t));

/// True if PTX has a wgmma.mma_async of N = `n` for A of type `a` (PTX ISA, "Shape"): multiples of 8 up to 256; for
/// integers 8, 16, 24 and then multiples of 16.
constexpr bool IsWgmmaColumns(ElementType a, uint32_t n) {
  const bool integers = a == ElementType::kS8 || a == ElementType::kU8 || a == ElementType::kB1;
  return n >= 8 && n <= 256 && n % (integers && n > 24 ? 16 : 8) == 0;
}

/// How a tensor copy to global memory combines the elements that it writes with those in memory.
enum class CopyReduction : uint32_t { kNone, kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor };

enum class FenceKind : uint32_t {
  kMemory,       ///< membar, fence.acq_rel, fence.sc: orders what the thread does before and after.
  kAsyncProxy,   ///< fence.proxy.async: between the thread's accesses and asynchronous ones.
  kBarrierInit,  ///< fence.mbarrier_init.
};

extern "C" {

/// Reports an access before it is made. Instrumented objects call it unless the memory is known to be the stack.
void mmtune_simt_access(ThreadContext*, const void* address, uint64_t bytes, AccessKind kind, uint32_t site);
/// Begins a new lifetime of the buffer from `shared` to the next red zone: what the thread knows to be written there
/// counts as uninitialised. Instrumented objects only.
void mmtune_simt_shared_begins(ThreadContext*, const void* shared);

/// Reports a conditional branch before it is executed; `taken` is its condition. Objects for profiling only.
void mmtune_simt_branch(ThreadContext*, uint32_t taken, uint32_t site);
/// Reports that an iteration of a loop begins. Objects for profiling only.
void mmtune_simt_iterate(ThreadContext*);

/// bar.sync id[, threads]; 0 threads mean the whole block.
void mmtune_simt_barrier(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
/// bar.arrive id, threads.
void mmtune_simt_barrier_arrive(ThreadContext*, uint32_t id, uint32_t threads, uint32_t site);
/// bar.red: like bar.sync, and returns the combination of all predicates. kUniform counts the true ones (.popc);
/// kBallot is not supported.
uint32_t mmtune_simt_barrier_reduce(ThreadContext*, uint32_t id, uint32_t threads, VoteMode mode, uint32_t predicate,
                                    uint32_t site);
/// bar.warp.sync mask.
void mmtune_simt_barrier_warp(ThreadContext*, uint32_t mask, uint32_t site);
void mmtune_simt_fence(ThreadContext*, FenceKind kind, uint32_t site);
/// nanosleep: lets other threads run first.
void mmtune_simt_yield(ThreadContext*, uint32_t site);

/// cp.async of `bytes` (4, 8 or 16): reads `source_bytes` and fills the rest with zeros.
void mmtune_simt_cp_async(ThreadContext*, void* shared, const void* global, uint32_t bytes, uint32_t source_bytes,
                          uint32_t site);
void mmtune_simt_cp_async_commit(ThreadContext*);
/// Waits until at most `groups` committed groups are unfinished; UINT32_MAX waits for every copy, committed or not.
void mmtune_simt_cp_async_wait(ThreadContext*, uint32_t groups, uint32_t site);
/// cp.async.mbarrier.arrive[.noinc]: arrives when the thread's copies so far are done.
void mmtune_simt_cp_async_mbarrier_arrive(ThreadContext*, void* barrier, uint32_t no_increment, uint32_t site);

/// Executes `op` for the lanes of `mask`, all of which call it with the same `op`.
void mmtune_simt_warp(ThreadContext*, const WarpOp* op, uint32_t mask, const uint32_t* in, uint32_t* out);
/// Executes `count` independent operations of the whole warp. The words of each follow those of the one before.
void mmtune_simt_warp_batch(ThreadContext*, const WarpOp* ops, uint32_t count, const uint32_t* in, uint32_t* out);

void mmtune_simt_mbarrier_init(ThreadContext*, void* barrier, uint32_t count, uint32_t site);
void mmtune_simt_mbarrier_inval(ThreadContext*, void* barrier, uint32_t site);
void mmtune_simt_mbarrier_expect_tx(ThreadContext*, void* barrier, uint32_t bytes, uint32_t site);
void mmtune_simt_mbarrier_complete_tx(ThreadContext*, void* barrier, uint32_t bytes, uint32_t site);
/// expect_tx of `bytes`, then `count` arrivals; with `drop` 1 the expected count of later phases drops as well. Returns
/// the state before.
uint64_t mmtune_simt_mbarrier_arrive(ThreadContext*, void* barrier, uint32_t count, uint32_t bytes, uint32_t drop,
                                     uint32_t site);
/// Returns 1 if the phase of `state`, or with the parity `state`, is complete. Lets other threads run if it is not; a
/// blocking call (`nvvm.mbarrier.try_wait.parity`) returns only when it is.
uint32_t mmtune_simt_mbarrier_test(ThreadContext*, void* barrier, uint64_t state, uint32_t is_parity, uint32_t blocking,
                                   uint32_t site);

/// cp.async.bulk.tensor.<rank>d. EncodeTensorMap() made `map`; coordinates are innermost first.
void mmtune_simt_tensor_load(ThreadContext*, void* shared, const void* map, uint32_t rank, const int32_t* coordinates,
                             void* barrier, uint32_t site);
void mmtune_simt_tensor_store(ThreadContext*, const void* map, const void* shared, uint32_t rank,
                              const int32_t* coordinates, CopyReduction reduction, uint32_t site);
/// cp.async.bulk without a tensor map; `bytes` is a multiple of 16.
void mmtune_simt_bulk_load(ThreadContext*, void* shared, const void* global, uint32_t bytes, void* barrier,
                           uint32_t site);
void mmtune_simt_bulk_store(ThreadContext*, void* global, const void* shared, uint32_t bytes, uint32_t site);
void mmtune_simt_bulk_commit(ThreadContext*);
/// cp.async.bulk.wait_group: waits until at most `groups` groups are unfinished or, with `read` 1, still read.
void mmtune_simt_bulk_wait(ThreadContext*, uint32_t groups, uint32_t read, uint32_t site);

void mmtune_simt_wgmma_fence(ThreadContext*, uint32_t site);
void mmtune_simt_wgmma_commit(ThreadContext*, uint32_t site);
void mmtune_simt_wgmma_wait(ThreadContext*, uint64_t groups, uint32_t site);

/// __assertfail of CUDA: ends the launch with `message`; does not return.
void mmtune_simt_assert_fail(ThreadContext*, const char* message, uint32_t site);

}  // extern "C"
}  // namespace mmtune::simt
