// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/verify/function_proof.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/simulator/simt_device.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/base/plain_text.h"

namespace mmtune {
namespace {

constexpr uint64_t kFirstStressSeed = 1;

/// What one run left: results, then arguments.
struct RunResult {
  std::vector<ModelValue> values;
  std::vector<simt::Finding> findings;
  absl::Status status;  ///< Of the call.
};

/// Directs the process's mgpu* calls at a device for as long as it lives.
class MgpuScope {
 public:
  explicit MgpuScope(Device* device) {
    (void)TakeMgpuError();
    SetMgpuDevice(device, MgpuOptions{.poison_allocations = true});
  }
  ~MgpuScope() {
    (void)TakeMgpuError();
    SetMgpuDevice(nullptr);
  }
};

absl::StatusOr<RunResult> RunOnce(const simt::SimtOptions& options, const CompiledModel& model,
                                  const ModelFunction& function, const std::vector<ModelValue>& arguments) {
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, simt::SimtDevice::Create(options));
  MgpuScope scope(device.get());
  ASSIGN_OR_RETURN(std::unique_ptr<ModelRunner> runner, ModelRunner::Load(model));
  RETURN_IF_ERROR(TakeMgpuError());
  RunResult result;
  std::vector<ModelValue> own = arguments;
  absl::StatusOr<std::vector<ModelValue>> results = runner->Run(function, &own);
  result.status = results.status();
  result.findings = static_cast<simt::SimtDevice&>(*device).TakeFindings();
  if (!results.ok()) return result;
  result.values = *std::move(results);
  for (ModelValue& value : own) result.values.push_back(std::move(value));
  return result;
}

bool SameBits(const std::vector<ModelValue>& a, const std::vector<ModelValue>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].data != b[i].data) return false;
  }
  return true;
}

bool SameKernels(const CompiledModel& a, const CompiledModel& b) {
  return std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    [](const ModelKernel& x, const ModelKernel& y) { return x.code_digest == y.code_digest; });
}

/// Notices a run that does not end: calls `expired`, on a thread of its own, unless destroyed within `limit`.
class RunWatchdog {
 public:
  RunWatchdog(std::chrono::seconds limit, std::function<void()> expired)
      : thread_([this, limit, expired = std::move(expired)] {
          if (!ended_.WaitForNotificationWithTimeout(absl::FromChrono(limit))) expired();
        }) {}
  ~RunWatchdog() {
    ended_.Notify();
    thread_.join();
  }

 private:
  absl::Notification ended_;
  std::thread thread_;
};

/// The runs of one function, and what they show.
class Prover {
 public:
  Prover(const CompiledModel& model, const CompiledModel& apart, const ModelFunction& function,
         const std::vector<ModelValue>& arguments, const ProofOptions& options)
      : model_(model), apart_(apart), function_(function), arguments_(arguments), options_(options) {
    proof_.function = function.name;
    proof_.differing_accepted = options.accept_differing;
  }

  /// Until a run finds something or does not end.
  absl::Status Watch() {
    bool ended = true;
    if (!SameKernels(model_, apart_)) {
      ASSIGN_OR_RETURN(ended, WatchApart());
    }
    if (ended) {
      ASSIGN_OR_RETURN(ended, WatchOnce(model_, std::nullopt, "in watch mode"));
    }
    if (ended && options_.stress_runs > 0) {
      ASSIGN_OR_RETURN(ended, WatchOnce(model_, kFirstStressSeed,
                                        absl::StrCat("in watch mode with stress seed ", kFirstStressSeed)));
    }
    if (ended && proof_.launches == 0) {
      proof_.failure = "nothing was launched: no kernel ran";
    } else if (ended) {
      proof_.race_free = true;
    }
    if (std::any_of(proof_.findings.begin(), proof_.findings.end(), simt::IsRace)) proof_.race_free = false;
    return absl::OkStatus();
  }

  absl::Status Compare() {
    ASSIGN_OR_RETURN(RunResult plain, Run(model_, /*watch=*/false, std::nullopt, "in the plain order"));
    bool all_ended = plain.status.ok();
    for (int run = 0; plain.status.ok() && run < options_.stress_runs; ++run) {
      const uint64_t seed = kFirstStressSeed + static_cast<uint64_t>(run);
      ASSIGN_OR_RETURN(RunResult stressed, Run(model_, /*watch=*/false, seed, absl::StrCat("with stress seed ", seed)));
      if (!stressed.status.ok()) {  // what it left says nothing of determinism
        all_ended = false;
        continue;
      }
      ++proof_.stress_runs;
      const bool same = SameBits(stressed.values, plain.values);
      if (!same && !proof_.differing_seed) proof_.differing_seed = seed;
      proof_.deterministic = !proof_.differing_seed;
    }
    if (!all_ended && proof_.deterministic.value_or(false)) proof_.deterministic.reset();
    proof_.values = std::move(plain.values);
    return absl::OkStatus();
  }

  FunctionProof Take() { return std::move(proof_); }

 private:
  /// As WatchOnce; where the buffers do not fit shared memory side by side (OutOfRange) there is no such run.
  absl::StatusOr<bool> WatchApart() {
    ASSIGN_OR_RETURN(RunResult result, RunWatched(apart_, std::nullopt, "in watch mode, buffers apart"));
    if (absl::IsOutOfRange(result.status) && proof_.findings.empty()) {
      proof_.not_apart = std::string(result.status.message());
      proof_.failure.clear();
      return true;
    }
    return result.status.ok() && proof_.findings.empty();
  }

  /// Whether the run got to its end with nothing found.
  absl::StatusOr<bool> WatchOnce(const CompiledModel& model, std::optional<uint64_t> seed, const std::string& name) {
    ASSIGN_OR_RETURN(RunResult result, RunWatched(model, seed, name));
    return result.status.ok() && proof_.findings.empty();
  }

  absl::StatusOr<RunResult> RunWatched(const CompiledModel& model, std::optional<uint64_t> seed,
                                       const std::string& name) {
    const int64_t launches = GetMgpuCounters().launches;
    ASSIGN_OR_RETURN(RunResult result, Run(model, /*watch=*/true, seed, name));
    proof_.launches = GetMgpuCounters().launches - launches;
    proof_.findings = std::move(result.findings);
    if (!proof_.findings.empty()) proof_.found = name;
    return result;
  }

  absl::StatusOr<RunResult> Run(const CompiledModel& model, bool watch, std::optional<uint64_t> seed,
                                const std::string& name) {
    simt::SimtOptions device;
    device.arch = options_.arch;
    device.race_detector = watch;
    device.fuzzing_seed = seed;
    const RunWatchdog watchdog(options_.time_limit, [this, &name] {
      FunctionProof proof = proof_;
      proof.failure = absl::StrCat("no end within ", options_.time_limit.count(), " s (", name, ")");
      if (proof.deterministic.value_or(false)) proof.deterministic.reset();
      options_.on_time_limit(proof);
    });
    ASSIGN_OR_RETURN(RunResult result, RunOnce(device, model, function_, arguments_));
    if (!result.status.ok() && result.findings.empty() && proof_.failure.empty()) {
      proof_.failure = absl::StrCat(name, ": ", result.status.message());
    }
    return result;
  }

  const CompiledModel& model_;
  const CompiledModel& apart_;
  const ModelFunction& function_;
  const std::vector<ModelValue>& arguments_;
  const ProofOptions& options_;
  FunctionProof proof_;  // not changed while a run is under way
};

std::string Count(int64_t count, const char* one, const char* many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

nlohmann::json Json(std::optional<bool> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

}  // namespace

absl::StatusOr<FunctionProof> ProveFunction(const CompiledModel& model, const CompiledModel& apart,
                                            const ModelFunction& function, const std::vector<ModelValue>& arguments,
                                            const ProofOptions& options) {
  Prover prover(model, apart, function, arguments, options);
  RETURN_IF_ERROR(prover.Watch());
  RETURN_IF_ERROR(prover.Compare());
  return prover.Take();
}

std::string FunctionProofText(const FunctionProof& proof) {
  std::string text;
  for (const simt::Finding& finding : proof.findings) absl::StrAppend(&text, simt::FindingText(finding), "\n\n");
  if (!proof.found.empty()) {
    const int limit = simt::SimtOptions().max_findings;
    absl::StrAppend(&text, "found ", proof.found,
                    std::ssize(proof.findings) < limit ? "" : absl::StrCat(", which ended at ", limit, " findings"),
                    "\n\n");
  }
  if (!proof.failure.empty()) absl::StrAppend(&text, "not verified: ", proof.failure, "\n\n");
  if (!proof.deterministic.value_or(true) && !proof.differing_accepted) {
    absl::StrAppend(&text, "not verified: the results differ between the plain order and that of stress seed ",
                    *proof.differing_seed,
                    "; where that is meant, as with atomic additions of floating point, give "
                    "--allow-nondeterministic\n\n");
  }
  return absl::StrCat(text, "@", proof.function, ": ", proof.passed() ? "verified" : "not verified", "; race-free ",
                      YesNo(proof.race_free), ", deterministic ", YesNo(proof.deterministic, "not compared"),
                      ", values ", proof.values_right ? proof.comparison : "not compared", "; ",
                      Count(proof.launches, "launch", "launches"), " in watch mode, ",
                      Count(proof.stress_runs, "stress run", "stress runs"),
                      proof.not_apart.empty() ? "" : absl::StrCat("; buffers not told apart: ", proof.not_apart));
}

std::string FunctionProofJson(const FunctionProof& proof) {
  const nlohmann::json findings = nlohmann::json::parse(simt::FindingsJson(proof.findings), nullptr, false);
  return nlohmann::json{{"values_right", Json(proof.values_right)},
                        {"comparison", proof.comparison},
                        {"function", proof.function},
                        {"verified", proof.passed()},
                        {"race_free", Json(proof.race_free)},
                        {"deterministic", Json(proof.deterministic)},
                        {"differing_accepted", proof.differing_accepted},
                        {"failure", proof.failure},
                        {"found", proof.found},
                        {"not_apart", proof.not_apart},
                        {"stress_runs", proof.stress_runs},
                        {"differing_seed", proof.differing_seed ? nlohmann::json(*proof.differing_seed) : nullptr},
                        {"launches", proof.launches},
                        {"findings", findings}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mmtune
