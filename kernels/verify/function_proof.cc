#include "kernels/verify/function_proof.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/simt/simt_device.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"

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

void NoteFailure(const absl::Status& status, const std::string& run, FunctionProof* proof) {
  if (!status.ok() && proof->failure.empty()) proof->failure = absl::StrCat(run, ": ", status.message());
}

std::string Yes(bool value) { return value ? "yes" : "no"; }

}  // namespace

absl::StatusOr<FunctionProof> ProveFunction(const CompiledModel& model, const ModelFunction& function,
                                            const std::vector<ModelValue>& arguments, const std::string& arch,
                                            int stress_runs) {
  FunctionProof proof;
  proof.function = function.name;
  proof.stress_runs = stress_runs;
  simt::SimtOptions options;
  options.arch = arch;
  options.check = true;
  const int64_t launches = GetMgpuCounters().launches;
  ASSIGN_OR_RETURN(RunResult checked, RunOnce(options, model, function, arguments));
  proof.launches = GetMgpuCounters().launches - launches;
  proof.findings = std::move(checked.findings);
  proof.race_free = proof.findings.empty();
  if (proof.race_free) NoteFailure(checked.status, "in check mode", &proof);

  options.check = false;
  ASSIGN_OR_RETURN(RunResult plain, RunOnce(options, model, function, arguments));
  NoteFailure(plain.status, "in the plain order", &proof);
  proof.deterministic = plain.status.ok();
  for (int run = 0; run < stress_runs; ++run) {
    options.stress_seed = kFirstStressSeed + static_cast<uint64_t>(run);
    ASSIGN_OR_RETURN(RunResult stressed, RunOnce(options, model, function, arguments));
    NoteFailure(stressed.status, absl::StrCat("with stress seed ", *options.stress_seed), &proof);
    proof.deterministic &= SameBits(stressed.values, plain.values);
  }
  return proof;
}

std::string FunctionProofText(const FunctionProof& proof) {
  std::string text;
  for (const simt::Finding& finding : proof.findings) absl::StrAppend(&text, simt::FindingText(finding), "\n\n");
  if (!proof.failure.empty()) absl::StrAppend(&text, "failed: ", proof.failure, "\n\n");
  return absl::StrCat(text, "@", proof.function, ": ", proof.passed() ? "verified" : "not verified", "; race-free ",
                      Yes(proof.race_free), ", deterministic ", Yes(proof.deterministic), "; ", proof.launches,
                      " launches in check mode, ", proof.stress_runs, " stress runs");
}

std::string FunctionProofJson(const FunctionProof& proof) {
  const nlohmann::json findings = nlohmann::json::parse(simt::FindingsJson(proof.findings), nullptr, false);
  return nlohmann::json{{"function", proof.function},   {"verified", proof.passed()},
                        {"race_free", proof.race_free}, {"deterministic", proof.deterministic},
                        {"failure", proof.failure},     {"stress_runs", proof.stress_runs},
                        {"launches", proof.launches},   {"findings", findings}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mmtune
