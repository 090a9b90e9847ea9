#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "proto/wire/utf8.h"

namespace mmtune {
namespace {

v1::FailedAttempt ToWire(const FailedAttempt& value) {
  v1::FailedAttempt message;
  message.set_outcome(std::string(OutcomeName(value.outcome)));
  message.set_message(Utf8(value.message));
  message.set_provenance(std::string(ProvenanceName(value.provenance)));
  return message;
}

absl::StatusOr<FailedAttempt> FromWire(const v1::FailedAttempt& message) {
  FailedAttempt value;
  ASSIGN_OR_RETURN(value.outcome, ParseOutcome(message.outcome()));
  value.message = message.message();
  ASSIGN_OR_RETURN(value.provenance, ParseProvenance(message.provenance()));
  return value;
}

v1::HealthSample ToWire(const HealthSample& value) {
  v1::HealthSample message;
  message.set_sm_clock_mhz(value.sm_clock_mhz);
  message.set_memory_clock_mhz(value.memory_clock_mhz);
  message.set_temperature_c(value.temperature_c);
  message.set_power_mw(value.power_mw);
  message.set_other_processes(value.other_processes);
  for (const std::string& reason : value.throttle_reasons) message.add_throttle_reasons(Utf8(reason));
  return message;
}

HealthSample FromWire(const v1::HealthSample& message) {
  HealthSample value;
  value.sm_clock_mhz = message.sm_clock_mhz();
  value.memory_clock_mhz = message.memory_clock_mhz();
  value.temperature_c = message.temperature_c();
  value.power_mw = message.power_mw();
  value.other_processes = message.other_processes();
  value.throttle_reasons.assign(message.throttle_reasons().begin(), message.throttle_reasons().end());
  return value;
}

v1::HealthReport ToWire(const HealthReport& value) {
  v1::HealthReport message;
  message.set_source(Utf8(value.source));
  message.set_reason(Utf8(value.reason));
  *message.mutable_before() = ToWire(value.before);
  *message.mutable_after() = ToWire(value.after);
  message.set_finding(Utf8(value.finding));
  return message;
}

HealthReport FromWire(const v1::HealthReport& message) {
  HealthReport value;
  value.source = message.source();
  value.reason = message.reason();
  if (message.has_before()) value.before = FromWire(message.before());
  if (message.has_after()) value.after = FromWire(message.after());
  value.finding = message.finding();
  return value;
}

v1::Baseline ToWire(const Baseline& value) {
  v1::Baseline message;
  message.set_name(Utf8(value.name));
  message.set_reason(Utf8(value.reason));
  message.set_median_ns(value.median_ns);
  message.set_low_ns(value.low_ns);
  message.set_high_ns(value.high_ns);
  message.set_drift(value.drift);
  return message;
}

absl::StatusOr<Baseline> FromWire(const v1::Baseline& message) {
  Baseline value;
  value.name = message.name();
  value.reason = message.reason();
  if (value.name.empty()) return value;
  value.median_ns = message.median_ns();
  value.low_ns = message.low_ns();
  value.high_ns = message.high_ns();
  value.drift = message.drift();
  RETURN_IF_ERROR(WithContext(value.Validate(), "conditions"));
  return value;
}

v1::Comparison ToWire(const Comparison& value) {
  v1::Comparison message;
  *message.mutable_rival() = mmtune::ToWire(value.rival);
  message.set_ratio(value.ratio);
  message.set_low(value.low);
  message.set_high(value.high);
  message.mutable_ratios()->Add(value.ratios.begin(), value.ratios.end());
  message.mutable_medians_ns()->Add(value.medians_ns.begin(), value.medians_ns.end());
  message.mutable_rival_medians_ns()->Add(value.rival_medians_ns.begin(), value.rival_medians_ns.end());
  message.set_finding(Utf8(value.finding));
  return message;
}

absl::StatusOr<Comparison> FromWire(const v1::Comparison& message) {
  Comparison value;
  ASSIGN_OR_RETURN(value.rival, mmtune::FromWire(message.rival()));
  value.ratio = message.ratio();
  value.low = message.low();
  value.high = message.high();
  value.ratios.assign(message.ratios().begin(), message.ratios().end());
  value.medians_ns.assign(message.medians_ns().begin(), message.medians_ns().end());
  value.rival_medians_ns.assign(message.rival_medians_ns().begin(), message.rival_medians_ns().end());
  value.finding = message.finding();
  RETURN_IF_ERROR(WithContext(value.Validate(), "conditions"));
  return value;
}

}  // namespace

v1::Conditions ToWire(const Conditions& value) {
  v1::Conditions message;
  message.set_run(Utf8(value.run));
  message.set_shared(value.shared);
  message.set_ended(Utf8(value.ended));
  message.set_delayed(value.delayed);
  message.set_precision(value.precision);
  message.set_budget_seconds(value.budget_seconds);
  if (!(value.health == HealthReport())) *message.mutable_health() = ToWire(value.health);
  if (!(value.baseline == Baseline())) *message.mutable_baseline() = ToWire(value.baseline);
  if (value.comparison) *message.mutable_comparison() = ToWire(*value.comparison);
  for (const FailedAttempt& attempt : value.failed_attempts) *message.add_failed_attempts() = ToWire(attempt);
  return message;
}

absl::StatusOr<Conditions> FromWire(const v1::Conditions& message) {
  Conditions value;
  value.run = message.run();
  value.shared = message.shared();
  value.ended = message.ended();
  value.delayed = message.delayed();
  value.precision = message.precision();
  value.budget_seconds = message.budget_seconds();
  if (message.has_health()) value.health = FromWire(message.health());
  ASSIGN_OR_RETURN(value.baseline, FromWire(message.baseline()));
  if (message.has_comparison()) {
    ASSIGN_OR_RETURN(value.comparison, FromWire(message.comparison()));
  }
  for (const v1::FailedAttempt& attempt : message.failed_attempts()) {
    ASSIGN_OR_RETURN(value.failed_attempts.emplace_back(), FromWire(attempt));
  }
  return value;
}

}  // namespace mmtune
