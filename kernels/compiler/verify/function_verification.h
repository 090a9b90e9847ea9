// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies a function of a compiled model by running it on the SIMT device. First the function runs with race
// detection, which watches memory accesses and reports findings: races, misuse and deadlocks. Then it runs with the
// order of threads fuzzed by several seeds, which must not change the results. `mmtune-compile --verify` prints the
// outcome. docs/verification.md says what this shows and what it does not.
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

/// The outcome for one function.
struct FunctionVerification {
  std::string function;
  /// True if no race was found, false if one was found. Absent if race detection ended early without finding a race.
  std::optional<bool> race_free;
  /// True if results had the same bits in every order tried. Absent if there was nothing to compare.
  std::optional<bool> deterministic;
  bool differing_accepted = false;  ///< True if results that depend on the order of threads are accepted.
  std::vector<simt::Finding> findings;
  std::string found;  ///< The run with the findings: "in race detection with fuzzing seed 1"; empty if there are none.
  /// Set if the run of `apart` (see VerifyFunction()) was skipped, because its buffers do not fit into the shared
  /// memory of a block: the error message. Otherwise empty.
  std::string not_apart;
  std::string failure;                     ///< The first run that failed without a finding, and why; empty if none did.
  int fuzzing_runs = 0;                    ///< Completed runs in fuzzed orders.
  std::optional<uint64_t> differing_seed;  ///< Seed of the first fuzzed run with different results.
  int64_t launches = 0;                    ///< Kernel launches in one race detection run, except for rejected ones.
  std::vector<ModelValue> values;          ///< Results, then arguments, of the unfuzzed run; empty if that failed.

  // The caller sets these if it has a reference for `values`. Absent and empty mean that nothing was compared.
  std::optional<bool> values_right;
  std::string comparison;  ///< "equal to the reference within 0.0001", or what differs.

  /// True if the function is verified.
  bool passed() const {
    return race_free.value_or(false) && findings.empty() && failure.empty() && launches > 0 &&
           (differing_accepted || deterministic.value_or(true)) && values_right.value_or(true);
  }
};

/// Options of a verification.
struct VerificationOptions {
  std::string arch;                      ///< The SIMT device has the limits of this architecture, such as "sm_80".
  int fuzzing_runs = 3;                  ///< Runs in fuzzed orders; with 0, race detection runs without fuzzing only.
  bool accept_differing = false;         ///< Accept results that depend on the order of threads.
  std::chrono::seconds time_limit{120};  ///< Limit for each run.
  /// Called on another thread, with the results so far, if a run exceeds the limit. A run cannot be stopped, so the
  /// function must end the process; it must not return.
  std::function<void(const FunctionVerification& verification)> on_time_limit;
};

/// Verifies one function of a model that was compiled twice for race detection on the SIMT device, up to stage kObject.
/// In `model`, buffers of a kernel may share bytes of shared memory. In `apart` (ModelOptions::shared_apart) each has
/// bytes of its own, so that an access beyond a buffer hits no other one. The runs are, in this order:
/// - Up to three runs with race detection, until one finds something: of `apart`, if its kernels differ from those of
///   `model`; of `model` in the normal order of threads; and of `model` in the order of one fuzzing seed.
/// - Runs of `model` without race detection, one in the normal order and `fuzzing_runs` in fuzzed orders. Their results
///   are compared.
///
/// Each run has a device of its own, with memory filled with NaNs. During a run, the process's mgpu* calls
/// (kernels/runtime/mgpu.h) go to that device. Returns an error if the model cannot be loaded or the device cannot be
/// created; a run that fails is part of the outcome (FunctionVerification::failure).
absl::StatusOr<FunctionVerification> VerifyFunction(const CompiledModel& model, const CompiledModel& apart,
                                                    const ModelFunction& function,
                                                    const std::vector<ModelValue>& arguments,
                                                    const VerificationOptions& options);

/// Returns "verified", or the findings in the form of compiler diagnostics, and a line about what was covered.
std::string FunctionVerificationText(const FunctionVerification& verification);
/// Returns the outcome as a JSON object.
std::string FunctionVerificationJson(const FunctionVerification& verification);

}  // namespace mmtune
