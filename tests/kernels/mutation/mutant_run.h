// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one mutant: compiled, run under the race detector, and compared under schedule fuzzing.
#pragma once

#include <optional>
#include <string>

#include "tests/kernels/mutation/kernel_case.h"
#include "tests/kernels/mutation/mutations.h"

namespace mmtune {

/// In the order in which a verification tries.
enum class Verdict {
  kNotCompiled,           ///< The pipeline refused it: no kernel, no harm.
  kFinding,               ///< Race detection reported it, or stopped it.
  kWrongInRaceDetection,  ///< Silent, but the values of the run in race detection were wrong.
  kWrongWhenFuzzed,       ///< Wrong in one of the fuzzing runs that a verification does.
  kHung,                  ///< Did not end in time; a verification would not pass it.
  kMissed,                ///< Passes what a verification does, and yet wrong in one of many more runs.
  kHarmless,              ///< Right in all of them.
};

/// "finding", "missed", …
std::string_view VerdictName(Verdict verdict);

struct MutantResult {
  Verdict verdict = Verdict::kHarmless;
  std::string detail;  ///< The first finding or difference.
};

struct RunBudget {
  int verification_seeds = 3;  ///< Fuzzing runs that a verification does.
  int exhaustive_seeds = 10;   ///< Fuzzing runs that look for what a verification missed.
  int seconds = 20;            ///< For all of one mutant.
};

/// Compiles and runs `kernel` with a mutation, or unchanged without one, in a process of its own: mutants hang and
/// crash.
MutantResult RunMutant(const KernelCase& kernel, const std::optional<Mutation>& mutation, const RunBudget& budget);

}  // namespace mmtune
