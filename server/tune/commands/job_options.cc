// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/job_options.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"
#include "proto/base/digest.h"
#include "proto/tls/server_endpoint.h"
#include "proto/wire/convert.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {
namespace {

constexpr int64_t kTrials = 64;
constexpr int64_t kMostFinalists = 64;

absl::StatusOr<DeviceSelector> MakeSelector(const JobOptions& options) {
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(options.device));
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  selector.arch = options.arch;
  return selector;
}

struct Preset {
  double budget_seconds = 0;  ///< 0: the device's default.
  double precision = kDefaultPrecision;
  int64_t finalists = 4;
};

Preset PresetOf(const JobOptions& options) {
  if (options.precise) return {.budget_seconds = 2, .precision = 0.001, .finalists = 8};
  if (options.quick) return {.budget_seconds = 0.1, .precision = 0.02, .finalists = 0};
  return {};
}

int64_t TrialsOf(const JobOptions& options) { return options.trials.value_or(options.seconds > 0 ? 0 : kTrials); }

absl::Status ValidateLimits(const JobOptions& options) {
  if (options.precise && options.quick) return InvalidArgument("--precise and --quick exclude each other");
  if (options.finalists && (*options.finalists < 0 || *options.finalists > kMostFinalists)) {
    return InvalidArgument(absl::StrCat("--finalists must be 0 (no comparison) to ", kMostFinalists));
  }
  if (options.until_plateau > 0 && !PredictsGain(options.strategy)) {
    return InvalidArgument("--until-plateau needs a strategy that predicts what a trial gains: --strategy model");
  }
  if (options.until_baseline > 0 && !options.measure.baseline) {
    return InvalidArgument("--until-baseline and --no-baseline exclude each other");
  }
  if (TrialsOf(options) == 0 && options.seconds == 0 && options.until_plateau == 0 &&
      options.strategy != "exhaustive") {
    return InvalidArgument("--trials 0 would never end: give --seconds, --until-plateau, or --strategy exhaustive");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::JobSpec> MakeJobSpec(const JobOptions& options) {
  ASSIGN_OR_RETURN(MatmulProblem problem, MakeProblem(options.problem));
  ASSIGN_OR_RETURN(DeviceSelector selector, MakeSelector(options));
  RETURN_IF_ERROR(ValidateLimits(options));
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(problem);
  *spec.mutable_device() = ToWire(selector);
  spec.set_strategy(options.strategy);
  spec.set_seed(options.seed);
  spec.set_cold_start(options.cold_start);
  for (const std::string& part : options.only) spec.add_only(part);
  spec.set_no_skip(options.no_skip);
  spec.set_no_compile_ahead(options.no_compile_ahead);
  spec.set_trials(TrialsOf(options));
  spec.set_seconds(options.seconds);
  spec.set_plateau_percent(options.until_plateau);
  spec.set_baseline_percent(options.until_baseline);
  spec.set_bound_percent(options.until_bound);
  spec.set_remeasure(options.remeasure);
  if (options.weight != 1) spec.set_weight(options.weight);
  spec.set_priority(options.priority);
  absl::StatusOr<Labels> select = ParseLabels(options.select);
  if (!select.ok()) return WithContext(select.status(), "--select");
  spec.mutable_select()->insert(select->begin(), select->end());
  if (const auto parsed = ParseDeviceClass(options.device_class); !parsed.ok()) {
    return WithContext(parsed.status(), "--device-class");
  }
  spec.set_device_class(options.device_class);
  const Preset preset = PresetOf(options);
  MeasureOptions measure = options.measure;
  absl::StatusOr<Regime> regime = ParseRegime(options.regime);
  if (!regime.ok()) return WithContext(regime.status(), "--regime");
  measure.regime = *regime;
  measure.precision = preset.precision;
  if (measure.budget_seconds == 0) measure.budget_seconds = preset.budget_seconds;
  *spec.mutable_measure() = ToWire(measure);
  const char* parent = std::getenv("TRACEPARENT");
  spec.set_trace_id(options.trace_id.empty() && parent ? TraceIdOfParent(parent).value_or("") : options.trace_id);
  // What a server would refuse is refused before a server or a log is opened.
  RETURN_IF_ERROR(ParseJobSpec(spec, KernelFamilies()).status());
  return spec;
}

int64_t FinalistsOf(const JobOptions& options) { return options.finalists.value_or(PresetOf(options).finalists); }

absl::StatusOr<SessionOptions> MakeSessionOptions(const JobOptions& options) {
  if (!options.server.empty() && !options.log.empty()) {
    return InvalidArgument("--log and --server exclude each other: the server has its own log");
  }
  if (options.server.empty() && !options.select.empty()) {
    return InvalidArgument("--select is about the labels of a server's workers: give --server");
  }
  SessionOptions session;
  session.server = options.server;
  session.tls = options.tls;
  session.log_path = options.log;
  session.wait = options.wait;
  ASSIGN_OR_RETURN(session.device, MakeSelector(options));
  if (!options.server.empty()) RETURN_IF_ERROR(ResolveEndpoint(options.server, options.tls).status());
  return session;
}

}  // namespace mmtune
