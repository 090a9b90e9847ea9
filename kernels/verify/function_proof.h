// Runs a function of a compiled module in the SIMT device's modes, and says what was found.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/model/model_runner.h"
#include "kernels/runtime/simt/check/finding.h"

namespace mmtune {

struct FunctionProof {
  std::string function;
  bool race_free = true;      ///< Check mode found nothing, races or otherwise.
  bool deterministic = true;  ///< The same bits in every order that was tried.
  std::vector<simt::Finding> findings;
  std::string failure;  ///< The first run that failed without a finding, and why; empty when none did.
  int stress_runs = 0;
  int64_t launches = 0;  ///< Of kernels, in check mode.

  bool passed() const { return race_free && failure.empty(); }
};

/// `model` was compiled with checks for the SIMT device, stage kObject. Runs in check mode, in the plain order, and in
/// `stress_runs` seeded orders, each on a device of its own that stands in for `arch`, with device memory poisoned.
/// The process's mgpu* calls go to these devices meanwhile. Errors: the function cannot be called at all.
absl::StatusOr<FunctionProof> ProveFunction(const CompiledModel& model, const ModelFunction& function,
                                            const std::vector<ModelValue>& arguments, const std::string& arch,
                                            int stress_runs);

/// "verified", findings as a compiler prints them, and a line of what was covered.
std::string FunctionProofText(const FunctionProof& proof);
/// A JSON object.
std::string FunctionProofJson(const FunctionProof& proof);

}  // namespace mmtune
