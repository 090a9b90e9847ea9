// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies a function of a compiled module by runs on the SIMT device with race detection and schedule fuzzing.
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

struct FunctionVerification {
  std::string function;
  std::optional<bool> race_free;      ///< Absent if race detection did not finish and found no race until then.
  std::optional<bool> deterministic;  ///< The same bits in every order tried; absent if there was nothing to compare.
  bool differing_accepted = false;    ///< Different bits in another order are no failure.
  std::vector<simt::Finding> findings;
  std::string found;                       ///< The run of the findings: "in race detection with fuzzing seed 1".
  std::string not_apart;                   ///< Why buffers did not get separate memory; empty when they did.
  std::string failure;                     ///< The first run that failed without a finding, and why.
  int fuzzing_runs = 0;                    ///< Completed runs in fuzzed orders.
  std::optional<uint64_t> differing_seed;  ///< The first fuzzed run with different bits.
  int64_t launches = 0;                    ///< Kernel launches in one race detection run, without refused ones.
  std::vector<ModelValue> values;          ///< Results, then arguments, of the plain order; empty when it failed.

  // The caller fills these in if it has a reference for `values`; absent and empty mean not compared.
  std::optional<bool> values_right;
  std::string comparison;  ///< "equal to the reference within 0.0001", or what differs.

  bool passed() const {
    return race_free.value_or(false) && findings.empty() && failure.empty() && launches > 0 &&
           (differing_accepted || deterministic.value_or(true)) && values_right.value_or(true);
  }
};

struct VerificationOptions {
  std::string arch;      ///< The architecture that the SIMT device stands in for.
  int fuzzing_runs = 3;  ///< Runs in fuzzed orders; with 0, race detection runs in the plain order only.
  bool accept_differing = false;
  std::chrono::seconds time_limit{120};  ///< Limit for one run.
  /// Called on another thread with the results so far when a run exceeds the limit. A run cannot be stopped, so it must
  /// not return but end the process.
  std::function<void(const FunctionVerification& verification)> on_time_limit;
};

/// Verifies one function. `model` was compiled for race detection on the SIMT device, stage kObject; `apart` likewise
/// with shared_apart. Until something is found, runs with race detection: `apart`, where its code differs, then `model`
/// in the plain order and in the order of one seed. Then compares `model` in the plain order and in `fuzzing_runs`
/// seeded orders. Each run has its own device with poisoned memory, to which the process's mgpu* calls go meanwhile.
/// Fails if the function cannot be called at all.
absl::StatusOr<FunctionVerification> VerifyFunction(const CompiledModel& model, const CompiledModel& apart,
                                                    const ModelFunction& function,
                                                    const std::vector<ModelValue>& arguments,
                                                    const VerificationOptions& options);

/// Returns "verified" or the findings in the form of compiler diagnostics, and a line about the coverage.
std::string FunctionVerificationText(const FunctionVerification& verification);
/// Returns a JSON object.
std::string FunctionVerificationJson(const FunctionVerification& verification);

}  // namespace mmtune
