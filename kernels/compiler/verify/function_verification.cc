// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/verify/function_verification.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/verify/run_watchdog.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/simulator/simt_device.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint64_t kFirstFuzzingSeed = 1;

/// The outcome of one run: results, then arguments.
struct RunResult {
  std::vector<ModelValue> values;
  std::vector<simt::Finding> findings;
  absl::Status status;  ///< Status of the call.
};

/// Directs the process's mgpu* calls to a device while it is alive.
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

/// Runs one function and collects the results.
class FunctionVerifier {
 public:
  FunctionVerifier(const CompiledModel& model, const CompiledModel& apart, const ModelFunction& function,
                   const std::vector<ModelValue>& arguments, const VerificationOptions& options)
      : model_(model), apart_(apart), function_(function), arguments_(arguments), options_(options) {
    result_.function = function.name;
    result_.differing_accepted = options.accept_differing;
  }

  /// Runs with race detection until a run finds something or does not end.
  absl::Status DetectRaces() {
    bool ended = true;
    if (!SameKernels(model_, apart_)) {
      ASSIGN_OR_RETURN(ended, WatchApart());
    }
    if (ended) {
      ASSIGN_OR_RETURN(ended, DetectRacesOnce(model_, std::nullopt, "in race detection"));
    }
    if (ended && options_.fuzzing_runs > 0) {
      ASSIGN_OR_RETURN(ended, DetectRacesOnce(model_, kFirstFuzzingSeed,
                                              absl::StrCat("in race detection with fuzzing seed ", kFirstFuzzingSeed)));
    }
    if (ended && result_.launches == 0) {
      result_.failure = "the function launched no kernel, so there is nothing to verify";
    } else if (ended) {
      result_.race_free = true;
    }
    if (std::any_of(result_.findings.begin(), result_.findings.end(), simt::IsRace)) result_.race_free = false;
    return absl::OkStatus();
  }

  absl::Status Compare() {
    ASSIGN_OR_RETURN(RunResult plain, Run(model_, /*race_detection=*/false, std::nullopt, "in the plain order"));
    bool all_ended = plain.status.ok();
    for (int run = 0; plain.status.ok() && run < options_.fuzzing_runs; ++run) {
      const uint64_t seed = kFirstFuzzingSeed + static_cast<uint64_t>(run);
      ASSIGN_OR_RETURN(RunResult fuzzed,
                       Run(model_, /*race_detection=*/false, seed, absl::StrCat("with fuzzing seed ", seed)));
      if (!fuzzed.status.ok()) {  // a failed run shows nothing about determinism
        all_ended = false;
        continue;
      }
      ++result_.fuzzing_runs;
      const bool same = SameBits(fuzzed.values, plain.values);
      if (!same && !result_.differing_seed) result_.differing_seed = seed;
      result_.deterministic = !result_.differing_seed;
    }
    if (!all_ended && result_.deterministic.value_or(false)) result_.deterministic.reset();
    result_.values = std::move(plain.values);
    return absl::OkStatus();
  }

  FunctionVerification Take() { return std::move(result_); }

 private:
  /// Like DetectRacesOnce(), with separate memory for each buffer. Skipped where the buffers do not fit (OutOfRange).
  absl::StatusOr<bool> WatchApart() {
    ASSIGN_OR_RETURN(RunResult result, RunWatched(apart_, std::nullopt, "in race detection, buffers apart"));
    if (absl::IsOutOfRange(result.status) && result_.findings.empty()) {
      result_.not_apart = std::string(result.status.message());
      result_.failure.clear();
      return true;
    }
    return result.status.ok() && result_.findings.empty();
  }

  /// Returns true if the run ended without findings.
  absl::StatusOr<bool> DetectRacesOnce(const CompiledModel& model, std::optional<uint64_t> seed,
                                       const std::string& name) {
    ASSIGN_OR_RETURN(RunResult result, RunWatched(model, seed, name));
    return result.status.ok() && result_.findings.empty();
  }

  absl::StatusOr<RunResult> RunWatched(const CompiledModel& model, std::optional<uint64_t> seed,
                                       const std::string& name) {
    const int64_t launches = GetMgpuCounters().launches;
    ASSIGN_OR_RETURN(RunResult result, Run(model, /*race_detection=*/true, seed, name));
    result_.launches = GetMgpuCounters().launches - launches;
    result_.findings = std::move(result.findings);
    if (!result_.findings.empty()) result_.found = name;
    return result;
  }

  absl::StatusOr<RunResult> Run(const CompiledModel& model, bool race_detection, std::optional<uint64_t> seed,
                                const std::string& name) {
    simt::SimtOptions device;
    device.arch = options_.arch;
    device.race_detector = race_detection;
    device.fuzzing_seed = seed;
    const RunWatchdog watchdog(options_.time_limit, [this, &name] {
      FunctionVerification verification = result_;
      verification.failure = absl::StrCat("no end within ", options_.time_limit.count(), " s (", name, ")");
      if (verification.deterministic.value_or(false)) verification.deterministic.reset();
      options_.on_time_limit(verification);
    });
    ASSIGN_OR_RETURN(RunResult result, RunOnce(device, model, function_, arguments_));
    if (!result.status.ok() && result.findings.empty() && result_.failure.empty()) {
      result_.failure = absl::StrCat(name, ": ", result.status.message());
    }
    return result;
  }

  const CompiledModel& model_;
  const CompiledModel& apart_;
  const ModelFunction& function_;
  const std::vector<ModelValue>& arguments_;
  const VerificationOptions& options_;
  FunctionVerification result_;  // not changed during a run
};

std::string Count(int64_t count, const char* one, const char* many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

nlohmann::json Json(std::optional<bool> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

}  // namespace

absl::StatusOr<FunctionVerification> VerifyFunction(const CompiledModel& model, const CompiledModel& apart,
                                                    const ModelFunction& function,
                                                    const std::vector<ModelValue>& arguments,
                                                    const VerificationOptions& options) {
  FunctionVerifier verifier(model, apart, function, arguments, options);
  RETURN_IF_ERROR(verifier.DetectRaces());
  RETURN_IF_ERROR(verifier.Compare());
  return verifier.Take();
}

std::string FunctionVerificationText(const FunctionVerification& verification) {
  std::string text;
  for (const simt::Finding& finding : verification.findings) absl::StrAppend(&text, simt::FindingText(finding), "\n\n");
  if (!verification.found.empty()) {
    const int limit = simt::SimtOptions().max_findings;
    absl::StrAppend(&text, "found ", verification.found,
                    std::ssize(verification.findings) < limit
                        ? ""
                        : absl::StrCat("; the run ended at the limit of ", limit, " findings"),
                    "\n\n");
  }
  if (!verification.failure.empty()) absl::StrAppend(&text, "not verified: ", verification.failure, "\n\n");
  if (!verification.deterministic.value_or(true) && !verification.differing_accepted) {
    absl::StrAppend(&text, "not verified: the results differ between the plain order and that of fuzzing seed ",
                    *verification.differing_seed,
                    "; where that is meant, as with atomic additions of floating point, give "
                    "--allow-nondeterministic\n\n");
  }
  return absl::StrCat(
      text, "@", verification.function, ": ", verification.passed() ? "verified" : "not verified", "; race-free ",
      YesNo(verification.race_free), ", deterministic ", YesNo(verification.deterministic, "not compared"), ", values ",
      verification.values_right ? verification.comparison : "not compared", "; ",
      Count(verification.launches, "launch", "launches"), " in race detection, ",
      Count(verification.fuzzing_runs, "fuzzing run", "fuzzing runs"),
      verification.not_apart.empty() ? "" : absl::StrCat("; buffers not told apart: ", verification.not_apart));
}

std::string FunctionVerificationJson(const FunctionVerification& verification) {
  const nlohmann::json findings = nlohmann::json::parse(simt::FindingsJson(verification.findings), nullptr, false);
  return nlohmann::json{
      {"values_right", Json(verification.values_right)},
      {"comparison", verification.comparison},
      {"function", verification.function},
      {"verified", verification.passed()},
      {"race_free", Json(verification.race_free)},
      {"deterministic", Json(verification.deterministic)},
      {"differing_accepted", verification.differing_accepted},
      {"failure", verification.failure},
      {"found", verification.found},
      {"not_apart", verification.not_apart},
      {"fuzzing_runs", verification.fuzzing_runs},
      {"differing_seed", verification.differing_seed ? nlohmann::json(*verification.differing_seed) : nullptr},
      {"launches", verification.launches},
      {"findings", findings}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mmtune
