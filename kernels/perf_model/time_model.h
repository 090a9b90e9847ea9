// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of a schedule, by formulas that need no measurement: to order schedules before any of them has run.
//
// R blocks are resident on a multiprocessor, as many as its registers, shared memory and threads allow. Of R blocks of
// W warps each, a k step takes, in clocks,
//
//   compute = ceil(R * W / 4) * max(instructions, 4 * multiplyAdds / rate)   4 schedulers, each one instruction a clock
//   shared  = R * wavefronts                                                 one of 128 bytes a clock; sm_75: in two
//   l2      = R * moved / (bytes of L2 a clock / multiprocessors)
//   inside  = max((compute^4 + shared^4 + l2^4)^(1/4) + exposed / ceil(R * W / 4), instructions + exposed)
//   wait    = (200 + l2) / ahead                                             a tile is read so many steps before its
//   use step(R) = max((inside^4 + wait^4)^(1/4), latency)
//
// `moved` is what L2 and device memory move for the bytes of a tile (BytesMovedForRows): whole sectors, and for rows
// shorter than a cache line (line / row)^(1/2) times as much. A tile that is read `ahead` steps before its use has so
// many steps to come from L2, behind those that the other resident blocks wait for, too: more residents need deeper
// pipelines.
//
// Where a model of the machine code has said which share of the peak the loop gets (LoopCost::share), this takes the
// place of compute, shared and exposed: 4 * R * W / 4 * multiplyAdds / rate / share, and for fewer blocks than R as
// much less as by the formula.
//
// Units run at once, and disturb one another where they are about as busy: hence the fourth power. `blocks` blocks are
// q = ceil(blocks / multiprocessors) for the busiest one, in rounds of R, the last one with the rest, r = q mod R:
//
//   time    = floor(q / R) * (steps * step(R) + ends(R)) + (r > 0 ? steps * step(r) + ends(r) : 0)
//   ends(R) = 1500 + min(ahead, steps) * l2
//
// with 1500 clocks for a block's start and store, and the first tiles, which come before there is anything to multiply;
// a block of stream-k, which takes the steps of several tiles of C one after another, pays them for each: for steps /
// (k steps of a tile) + 1. Device memory gives every byte of the operands once; where they do not fit half of L2, once
// for every wave of tiles that meets them, which group_m shapes. It runs beside the multiprocessors, too, and is
// combined with them in the same way. At last come launches, and what sums a split of k.
//
// Sources. Rates of multiply-adds: device_info.h. Schedulers, wavefronts: CUDA C++ Programming Guide, "Arithmetic
// Instructions", "Shared Memory"; 64 bytes of shared memory and L1 a clock on sm_75: NVIDIA's whitepaper of GA102,
// which doubles them. 200 clocks of L2: 188 on T4 (Jia et al., arXiv 1903.07486), 236 on RTX 2070, 222 to 339 on L40
// (arXiv 2606.22588). Sectors of 32 bytes, lines of 128: CUDA C++ Best Practices Guide, "Coalesced Access to Global
// Memory". Bandwidths, clocks and multiprocessors of a typical board: NVIDIA's data sheets of T4, A100, A40,
// L40S, H100 SXM, B200, RTX PRO 6000; bytes of L2 a clock: 5,120 for A100 (its whitepaper), taken for H100 and B200
// too, and 2,048 else. 1500 clocks, the exponent and what a family says of `exposed` were chosen so that the formula
// gives what a simulation of the machine code of `fma` on sm_80 and sm_90 does, which obeys its control bits
// (docs/timing.md is about measured times: these are none). `wait`, the square root of short rows and what `mma` says
// of `exposed` and of narrow copies were chosen so that the formula orders Triton's configurations as an A100 does
// (docs/measurements/defaults.md): none of them is of a shape. Judgements: 2 us for a launch, 700 clocks for a read of
// device memory, 16 bytes of L2 for an atomic access of up to 4 floats.
#pragma once

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// Clocks from a load of global memory to its use.
inline constexpr double kGlobalLatency = 700;

/// Clocks from a load to its use that misses L1 and hits L2.
inline constexpr double kL2Latency = 200;

/// Clocks of a block outside of its loop, for each of its tiles of C: its start, first tiles and store.
inline constexpr double kBlockClocks = 1500;

/// What a device does. What it does not say is that of the typical board of its architecture.
struct DeviceRates {
  double multiprocessors = 0, clocksPerSecond = 0;
  double wavefrontClocks = 1;  ///< Of shared memory and L1, for 128 bytes.
  double l2Bytes = 0;          ///< A clock, of one multiprocessor.
  double dramBytesPerSecond = 0, l2Capacity = 0;
};
DeviceRates RatesOf(const DeviceInfo& device);

/// Products of the problem's elements that a multiprocessor begins in a clock: on tensor cores; else by multiply-adds
/// of the type of sums. 0 where `device` has no such instruction.
int64_t MultiplyAddsPerClock(const MatmulProblem& problem, bool tensorCores, const DeviceInfo& device);

/// `geometry` is that of a schedule for the problem. What `device` does not say (multiprocessors, clock, L2) is that of
/// the typical board of its architecture; an architecture that is not known counts as the newest older one.
PredictedTime PredictTime(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Bytes that L2 and device memory move where rows of `row` bytes are read that begin `apart` bytes from one another.
double BytesMovedForRows(int64_t rows, int64_t row, int64_t apart);

/// Blocks of which the registers, the shared memory and the threads fit a multiprocessor together; at least 1.
int64_t ResidentBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device);

}  // namespace mmtune
