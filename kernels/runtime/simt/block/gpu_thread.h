// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU thread of the block that an OS thread runs.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/runtime/simt/abi/abi.h"
#include "kernels/runtime/simt/block/copy_queue.h"
#include "kernels/runtime/simt/block/fiber.h"
#include "kernels/runtime/simt/block/polled_words.h"

namespace mmtune::simt {

class Block;
class BlockOps;

inline constexpr uint32_t kWarpSize = 32;

/// What compiled code knows as its ThreadContext. What a switch between threads touches comes first, in two lines of
/// the cache.
struct alignas(64) GpuThread : ThreadContext {
  enum class State : uint8_t { kReady, kPolling, kAtBarrier, kAtWarpBarrier, kInWarpOperation, kAsleep, kExited };

  Block* block = nullptr;
  BlockOps* ops = nullptr;  ///< What the operations of the block remember; ops/ knows it.
  Fiber fiber;
  State state = State::kReady;
  bool tracks_copies = false;  ///< Whether cp.async goes through `copies`; in fast mode it is done at once.
  uint32_t waits_for = 0;      ///< The barrier's id, or the mask of the warp barrier or warp operation.
  uint32_t site = 0;           ///< Of the runtime call that it is in, or was last in.

  const char* what = nullptr;     ///< kAsleep: what it waits for.
  const void* channel = nullptr;  ///< kAsleep.
  const WarpOp* op = nullptr;     ///< kInWarpOperation, and until its results are there.
  const uint32_t* in = nullptr;
  uint32_t* out = nullptr;
  uint32_t trues = 0, votes = 0;  ///< Of the barrier reduction that it was last in.
  CopyQueue copies;
  PolledWords polled;
};

/// The thread whose context compiled code holds.
inline GpuThread* ThreadOf(ThreadContext* context) { return static_cast<GpuThread*>(context); }

/// What memory that holds nothing yet is filled with in stress mode, byte by byte: NaN in every floating-point type.
inline constexpr int kPoison = 0xFF;

/// "waits at barrier 0", "has exited".
std::string StateText(const GpuThread& thread);

}  // namespace mmtune::simt
