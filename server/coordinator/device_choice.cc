// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/device_choice.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Sets of operands: on the SIMT device, for the check and for the timing.
constexpr int64_t kSimtCopies = 3;

std::string Bytes(int64_t bytes) {
  char text[64];
  const double gib = static_cast<double>(bytes) / (1 << 30);
  std::snprintf(text, sizeof(text), gib >= 0.1 ? "%.1f GiB" : "%.3g GiB", gib);
  return text;
}

/// Whether the job selects the worker, and its device's class.
bool Wanted(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec) {
  return spec.manners.Wants(worker.labels, device.info);
}

bool KindMatches(const RegisteredDevice& device, DeviceKind kind, const DeviceSelector& selector) {
  return device.info.kind == kind && (selector.index < 0 || selector.index == device.index);
}

absl::Status CheckMemory(const MatmulProblem& problem, Regime regime, const DeviceInfo& device) {
  // The SIMT device's memory is the host's, which also holds the worker's copies. Cold operands are two sets at least.
  const int64_t copies = (device.kind == DeviceKind::kSimt ? kSimtCopies : 1) + (regime == Regime::kCold ? 1 : 0);
  const int64_t needed = copies * problem.OperandBytes();
  if (device.memory_bytes <= 0 || needed <= device.memory_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the operands of ", problem.Text(), " need ", Bytes(needed),
                                      copies > 1 ? " with the worker's copies" : "", ", but ", device.name, " has ",
                                      Bytes(device.memory_bytes), ": choose a smaller problem or a larger device"));
}

/// The device as it measures for the job; why it never can.
absl::StatusOr<DeviceInfo> InfoFor(const RegisteredDevice& device, const JobSpec& spec) {
  ASSIGN_OR_RETURN(DeviceInfo info, TargetFor(device.info, spec.device.arch));
  RETURN_IF_ERROR(CheckMemory(spec.problem, spec.measure.regime, info));
  return info;
}

/// Returns the first device of `kind` of these workers that may measure for the job. The reason of the last one that
/// never can goes to `failure`.
std::optional<JobTarget> ChooseOfKind(DeviceKind kind, const JobSpec& spec, const ClassRule& rule,
                                      const std::vector<const RegisteredWorker*>& workers, absl::Status& failure) {
  for (const RegisteredWorker* worker : workers) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!KindMatches(device, kind, spec.device) || !Wanted(*worker, device, spec)) continue;
      absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
      if (!info.ok()) {
        failure = info.status();
        continue;
      }
      std::string class_key = info->ClassKey();
      if (!rule.required.empty() && class_key != rule.required) continue;
      if (class_key == rule.avoided) continue;
      return JobTarget{*std::move(info), device.toolchain, std::move(class_key)};
    }
  }
  return std::nullopt;
}

std::optional<JobTarget> ChooseOf(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec,
                                  const ClassRule& rule, absl::Status& failure) {
  const DeviceSelector::Kind kind = spec.device.kind;
  std::optional<JobTarget> target;
  if (kind != DeviceSelector::Kind::kSimt) target = ChooseOfKind(DeviceKind::kCuda, spec, rule, workers, failure);
  if (!target && kind != DeviceSelector::Kind::kCuda) {
    target = ChooseOfKind(DeviceKind::kSimt, spec, rule, workers, failure);
  }
  return target;
}

bool AnyWanted(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec) {
  return std::any_of(workers.begin(), workers.end(), [&spec](const RegisteredWorker* worker) {
    return std::any_of(worker->devices.begin(), worker->devices.end(),
                       [&](const RegisteredDevice& device) { return Wanted(*worker, device, spec); });
  });
}

/// For a job whose selectors no serving worker matches: whether some would, if they served. It counts nobody: what a
/// job waits for is written whenever it changes.
std::string UnmatchedText(const JobSpec& spec, const WorkerRegistry& workers) {
  if (AnyWanted(workers.All(), spec)) {
    return absl::StrCat("registered workers match ", spec.manners.WantsText(),
                        ", but none is at work: see tune workers list");
  }
  return absl::StrCat("no registered worker matches ", spec.manners.WantsText(),
                      ": start mmtune-worker with such labels and devices, or correct the job");
}

std::string WaitText(const JobSpec& spec, const std::string& required_class) {
  std::string text = "no worker with ";
  switch (spec.device.kind) {
    case DeviceSelector::Kind::kAuto:
      absl::StrAppend(&text, "a CUDA or SIMT device");
      break;
    case DeviceSelector::Kind::kCuda:
      absl::StrAppend(&text, spec.device.index < 0 ? "a CUDA device" : absl::StrCat("device cuda:", spec.device.index));
      break;
    case DeviceSelector::Kind::kSimt:
      absl::StrAppend(&text, "a SIMT device");
      break;
  }
  if (!required_class.empty()) absl::StrAppend(&text, " of the class it was measuring on");
  return absl::StrCat(text, " is at work: start mmtune-worker with --server");
}

}  // namespace

DeviceChoice ChooseDevice(const JobSpec& spec, const ClassRule& rule, const WorkerRegistry& workers) {
  DeviceChoice choice;
  absl::Status failure, other_failure;
  choice.target = ChooseOf(workers.Serving(), spec, rule, failure);
  if (choice.target) return choice;
  // What one device cannot do, another one may that is registered and not at work now.
  if (!failure.ok() && !ChooseOf(workers.All(), spec, rule, other_failure)) {
    choice.failure = failure;
    return choice;
  }
  choice.unmatched = !spec.manners.WantsText().empty() && !AnyWanted(workers.Serving(), spec);
  choice.waits_for = choice.unmatched ? UnmatchedText(spec, workers) : WaitText(spec, rule.required);
  return choice;
}

bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target) {
  if (!KindMatches(device, target.device.kind, spec.device) || !Wanted(worker, device, spec)) return false;
  const absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
  return info.ok() && info->ClassKey() == target.class_key;
}

}  // namespace mmtune
