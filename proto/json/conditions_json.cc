#include "proto/json/conditions_json.h"

#include <utility>

#include "proto/json/value_json.h"

namespace mmtune {
namespace {

nlohmann::json ToJson(const FailedAttempt& value) {
  return JsonObject({{"outcome", OutcomeName(value.outcome)},
                     {"message", value.message},
                     {"provenance", ProvenanceName(value.provenance)}});
}

nlohmann::json ToJson(const HealthSample& value) {
  return JsonObject({{"sm_clock_mhz", value.sm_clock_mhz},
                     {"memory_clock_mhz", value.memory_clock_mhz},
                     {"temperature_c", value.temperature_c},
                     {"power_mw", value.power_mw},
                     {"other_processes", value.other_processes},
                     {"throttle_reasons", value.throttle_reasons}});
}

nlohmann::json ToJson(const HealthReport& value) {
  return JsonObject({{"source", value.source},
                     {"reason", value.reason},
                     {"before", ToJson(value.before)},
                     {"after", ToJson(value.after)},
                     {"finding", value.finding}});
}

nlohmann::json ToJson(const Baseline& value) {
  return JsonObject({{"library", value.name},
                     {"reason", value.reason},
                     {"median_ns", DoubleToJson(value.median_ns)},
                     {"low_ns", DoubleToJson(value.low_ns)},
                     {"high_ns", DoubleToJson(value.high_ns)},
                     {"drift", DoubleToJson(value.drift)}});
}

nlohmann::json Array(const std::vector<double>& values) {
  nlohmann::json array = nlohmann::json::array();
  for (double value : values) array.push_back(DoubleToJson(value));
  return array;
}

nlohmann::json ToJson(const Comparison& value) {
  nlohmann::json json = JsonObject({{"rival", mmtune::ToJson(value.rival)},
                                    {"ratio", DoubleToJson(value.ratio)},
                                    {"low", DoubleToJson(value.low)},
                                    {"high", DoubleToJson(value.high)},
                                    {"ratios", Array(value.ratios)},
                                    {"medians_ns", Array(value.medians_ns)},
                                    {"rival_medians_ns", Array(value.rival_medians_ns)}});
  if (!value.finding.empty()) json["finding"] = value.finding;
  return json;
}

void FromJson(ObjectReader reader, FailedAttempt* out) {
  reader.ReadName("outcome", ParseOutcome, &out->outcome);
  reader.Read("message", &out->message);
  reader.ReadName("provenance", ParseProvenance, &out->provenance);
  reader.Finish();
}

void FromJson(ObjectReader reader, HealthSample* out) {
  reader.Read("sm_clock_mhz", &out->sm_clock_mhz);
  reader.Read("memory_clock_mhz", &out->memory_clock_mhz);
  reader.Read("temperature_c", &out->temperature_c);
  reader.Read("power_mw", &out->power_mw);
  reader.Read("other_processes", &out->other_processes);
  reader.Read("throttle_reasons", &out->throttle_reasons);
  reader.Finish();
}

void FromJson(ObjectReader reader, HealthReport* out) {
  reader.Read("source", &out->source);
  reader.Read("reason", &out->reason);
  FromJson(reader.Child("before"), &out->before);
  FromJson(reader.Child("after"), &out->after);
  reader.Read("finding", &out->finding);
  reader.Finish();
}

void FromJson(ObjectReader reader, Baseline* out) {
  reader.Read("library", &out->name);
  reader.Read("reason", &out->reason);
  reader.Read("median_ns", &out->median_ns);
  reader.Read("low_ns", &out->low_ns);
  reader.Read("high_ns", &out->high_ns);
  reader.Read("drift", &out->drift);
  reader.Finish();
}

void FromJson(ObjectReader reader, Comparison* out) {
  ReadSchedule(reader, "rival", &out->rival);
  reader.Read("ratio", &out->ratio);
  reader.Read("low", &out->low);
  reader.Read("high", &out->high);
  reader.Read("ratios", &out->ratios);
  reader.Read("medians_ns", &out->medians_ns);
  reader.Read("rival_medians_ns", &out->rival_medians_ns);
  if (reader.Has("finding")) reader.Read("finding", &out->finding);
  reader.Finish();
}

}  // namespace

nlohmann::json ToJson(const Conditions& value) {
  nlohmann::json json = nlohmann::json::object();
  if (!value.run.empty()) json["run"] = value.run;
  if (value.shared) json["shared"] = true;
  if (!value.ended.empty()) json["ended"] = value.ended;
  if (value.precision > 0) json["precision"] = value.precision;
  if (value.budget_seconds > 0) json["budget_seconds"] = value.budget_seconds;
  if (value.delayed) json["delayed"] = true;
  if (!(value.health == HealthReport())) json["health"] = ToJson(value.health);
  if (!(value.baseline == Baseline())) json["baseline"] = ToJson(value.baseline);
  if (value.comparison) json["comparison"] = ToJson(*value.comparison);
  for (const FailedAttempt& attempt : value.failed_attempts) json["failed_attempts"].push_back(ToJson(attempt));
  return json;
}

void FromJson(ObjectReader reader, Conditions* out) {
  if (reader.Has("run")) reader.Read("run", &out->run);
  if (reader.Has("shared")) reader.Read("shared", &out->shared);
  if (reader.Has("ended")) reader.Read("ended", &out->ended);
  if (reader.Has("precision")) reader.Read("precision", &out->precision);
  if (reader.Has("budget_seconds")) reader.Read("budget_seconds", &out->budget_seconds);
  if (reader.Has("delayed")) reader.Read("delayed", &out->delayed);
  if (reader.Has("health")) FromJson(reader.Child("health"), &out->health);
  if (reader.Has("baseline")) FromJson(reader.Child("baseline"), &out->baseline);
  if (reader.Has("comparison")) FromJson(reader.Child("comparison"), &out->comparison.emplace());
  if (reader.Has("failed_attempts")) {
    for (ObjectReader attempt : reader.Children("failed_attempts")) {
      FromJson(attempt, &out->failed_attempts.emplace_back());
    }
  }
  reader.Finish();
}

}  // namespace mmtune
