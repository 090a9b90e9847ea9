// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of one mutant: compiled, watched in watch mode, and compared under stress.
#pragma once

#include <optional>
#include <string>

#include "tests/kernels/mutation/kernel_case.h"
#include "tests/kernels/mutation/mutations.h"

namespace mmtune {

/// In the order in which a proof tries.
enum class Verdict {
  kNotCompiled,       ///< The pipeline refused it: no kernel, no harm.
  kFinding,           ///< Watch mode reported it, or stopped it.
  kWrongWatched,      ///< Silent, but the values of the run in watch mode were wrong.
  kWrongUnderStress,  ///< Wrong in one of the stress runs that a proof does.
  kHung,              ///< Did not end in time; a proof would not pass it.
  kMissed,            ///< Passes what a proof does, and yet wrong in one of many more runs.
  kHarmless,          ///< Right in all of them.
};

/// "finding", "missed", …
std::string_view VerdictName(Verdict verdict);

struct MutantResult {
  Verdict verdict = Verdict::kHarmless;
  std::string detail;  ///< The first finding or difference.
};

struct RunBudget {
  int proof_seeds = 3;        ///< Stress runs that a proof does.
  int exhaustive_seeds = 10;  ///< Stress runs that look for what a proof missed.
  int seconds = 20;           ///< For all of one mutant.
};

/// Compiles and runs `kernel` with a mutation, or unchanged without one, in a process of its own: mutants hang and
/// crash.
MutantResult RunMutant(const KernelCase& kernel, const std::optional<Mutation>& mutation, const RunBudget& budget);

}  // namespace mmtune
