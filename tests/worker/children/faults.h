// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children that fail as the schedule tells them: the parts of mmtune-test-worker.
#pragma once

#include <string>

#include "proto/types/schedule.h"
#include "worker/children/child_server.h"

namespace mmtune {

enum class Fault {
  kNone,
  kHang,  ///< Ignores SIGTERM, too.
  kSegv,
  kAbort,         ///< After "LLVM ERROR: told to abort" on standard error.
  kGarbageFrame,  ///< A frame that is no message.
  kHugeFrame,     ///< A frame that says it has 4 GiB.
  kHalfFrame,     ///< A frame that ends in its middle, and then nothing.
  kExitZero,
  kExitThree,
  kFlood,              ///< 8 MiB of text on standard error, then an abort.
  kOutOfMemory,        ///< Allocates until the system says no.
  kError,              ///< An error, as a Status.
  kWrongAnswer,        ///< A well-formed reply to another request.
  kPoisoned,           ///< Aborted: the device's context is lost.
  kWrongResult,        ///< The check fails.
  kNoTime,             ///< A timing of 0 ns.
  kOnceSegv,           ///< Crashes unless it is the child's first request.
  kUnhealthyOnce,      ///< The device is in doubt in the first timing of a candidate, which takes half the time.
  kUnhealthy,          ///< The device is in doubt in every timing.
  kUnhealthyThenSegv,  ///< Unhealthy once, and the second timing crashes.
  kHangWithBaseline,   ///< A timing beside the vendor's library hangs.
  kDeviceLost,         ///< Unavailable: the device is gone.
  kNoMemory,           ///< ResourceExhausted: others have the device's memory.
  kLoop,               ///< Computes without end.
  kSlow,               ///< Does well, but gets a fifth of a processor: 0.4 s of CPU time in 2 s.
};

/// A schedule whose compilation, model, verification, load, check or timing has the fault: always, or where
/// MMTUNE_TEST_ONCE names a file, only as long as there is no such file, which the fault makes.
Schedule FaultySchedule(std::string step, Fault fault);

/// Begins the name of the folder that a model makes for as long as it lasts.
inline constexpr char kFakeModelPrefix[] = "mmtune-test-model-";

/// Parts of fake children, without a compiler or device. If a schedule has a model, its kernel is a cubin.
ChildParts FaultyChildParts();

}  // namespace mmtune
