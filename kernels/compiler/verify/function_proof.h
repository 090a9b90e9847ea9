// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function of a compiled module in the SIMT device's modes, and says what was found.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/simulator/race_detector/finding.h"

namespace mmtune {

struct FunctionProof {
  std::string function;
  std::optional<bool> race_free;      ///< Absent: watch mode did not get to the end, and found no race until then.
  std::optional<bool> deterministic;  ///< The same bits in every order that was tried; absent: nothing to compare.
  bool differing_accepted = false;    ///< Other bits in another order are no failure.
  std::vector<simt::Finding> findings;
  std::string found;      ///< In which run: "in watch mode with stress seed 1"; empty without findings.
  std::string not_apart;  ///< Why buffers were not told apart; empty when they were, or the kernels have none.
  std::string failure;    ///< The first run that failed without a finding, and why; empty when none did.
  int stress_runs = 0;    ///< That were made.
  std::optional<uint64_t> differing_seed;  ///< The first stress run that gave other bits.
  int64_t launches = 0;                    ///< Of kernels, in one run of watch mode; refused ones do not count.
  std::vector<ModelValue> values;          ///< Of the plain order: results, then arguments; empty when it failed.

  // Filled in by who has a reference for `values`; absent and empty: they were not compared.
  std::optional<bool> values_right;
  std::string comparison;  ///< "equal to the reference within 0.0001", or what differs.

  bool passed() const {
    return race_free.value_or(false) && findings.empty() && failure.empty() && launches > 0 &&
           (differing_accepted || deterministic.value_or(true)) && values_right.value_or(true);
  }
};

struct ProofOptions {
  std::string arch;     ///< What the SIMT device stands in for.
  int stress_runs = 3;  ///< Without any, watch mode sees the plain order only.
  bool accept_differing = false;
  std::chrono::seconds time_limit{120};  ///< Of one run.
  /// Called on another thread, with what is known so far, when a run does not end in time. A run cannot be stopped: it
  /// does not return, but ends the process.
  std::function<void(const FunctionProof& proof)> on_time_limit;
};

/// `model` was compiled for watch mode for the SIMT device, stage kObject; `apart` is the same with shared_apart. Runs
/// in watch mode: `apart`, where its code differs, and `model` in the plain order, and `model` in that of one seed,
/// until something is found. Then `model` unwatched, in the plain order and in `stress_runs` seeded orders. Each run
/// has a device of its own, with device memory poisoned. The process's mgpu* calls go to these devices meanwhile.
/// Errors: the function cannot be called at all.
absl::StatusOr<FunctionProof> ProveFunction(const CompiledModel& model, const CompiledModel& apart,
                                            const ModelFunction& function, const std::vector<ModelValue>& arguments,
                                            const ProofOptions& options);

/// "verified", findings as a compiler prints them, and a line of what was covered.
std::string FunctionProofText(const FunctionProof& proof);
/// A JSON object.
std::string FunctionProofJson(const FunctionProof& proof);

}  // namespace mmtune
