#include "server/cli/job_options.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "search/strategy.h"

namespace mmtune {
namespace {

absl::StatusOr<DeviceSelector> MakeSelector(const JobOptions& options) {
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(options.device));
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  selector.arch = options.arch;
  return selector;
}

absl::Status ValidateLimits(const JobOptions& options) {
  if (options.trials < 0) return InvalidArgument("--trials must be 0 (no limit) or more");
  if (!std::isfinite(options.seconds) || options.seconds < 0) {
    return InvalidArgument("--seconds must be a number of seconds, 0 (no limit) or more");
  }
  if (!std::isfinite(options.measure_seconds) || options.measure_seconds < 0) {
    return InvalidArgument("--measure-seconds must be a number of seconds, 0 (the worker's default) or more");
  }
  if (options.trials == 0 && options.seconds == 0 && options.strategy != "exhaustive") {
    return InvalidArgument("--trials 0 would never end: give --seconds, or --strategy exhaustive");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::JobSpec> MakeJobSpec(const JobOptions& given) {
  JobOptions options = given;
  if (options.seconds > 0 && !options.trials_given) options.trials = 0;
  ASSIGN_OR_RETURN(MatmulProblem problem, MakeProblem(options.problem));
  ASSIGN_OR_RETURN(DeviceSelector selector, MakeSelector(options));
  RETURN_IF_ERROR(ValidateLimits(options));
  const auto& names = StrategyNames();
  if (std::find(names.begin(), names.end(), options.strategy) == names.end()) {
    return InvalidArgument(
        absl::StrCat("unknown strategy '", options.strategy, "'; known: ", absl::StrJoin(names, ", ")));
  }
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(problem);
  *spec.mutable_device() = ToWire(selector);
  spec.set_strategy(options.strategy);
  spec.set_seed(options.seed);
  spec.set_trials(options.trials);
  spec.set_seconds(options.seconds);
  spec.set_remeasure(options.remeasure);
  spec.set_no_proof(options.no_proof);
  spec.set_no_baseline(options.no_baseline);
  spec.set_measure_seconds(options.measure_seconds);
  return spec;
}

absl::StatusOr<SessionOptions> MakeSessionOptions(const JobOptions& options) {
  if (!options.server.empty() && !options.log.empty()) {
    return InvalidArgument("--log and --server exclude each other: the server has its own log");
  }
  SessionOptions session;
  session.server = options.server;
  session.log_path = options.log;
  ASSIGN_OR_RETURN(session.device, MakeSelector(options));
  if (!options.server.empty()) RETURN_IF_ERROR(ParseServerAddress(options.server).status());
  return session;
}

}  // namespace mmtune
