// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nlohmann/json.hpp"
#include "proto/types/field_json.h"
#include "server/tune/explain/explain_output.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

/// Times in nanoseconds, as everywhere in records.
Json PredictedJson(const PredictedTime& time) {
  return {{"total_ns", 1e9 * time.total},     {"multiply_ns", 1e9 * time.multiply},
          {"issue_ns", 1e9 * time.issue},     {"shared_ns", 1e9 * time.shared},
          {"l2_ns", 1e9 * time.l2},           {"dram_ns", 1e9 * time.dram},
          {"latency_ns", 1e9 * time.latency}, {"tail_ns", 1e9 * time.tail},
          {"others_ns", 1e9 * time.others},   {"waves", time.waves}};
}

Json ScheduleJson(const ScheduleExplanation& one) {
  Json json = {{"schedule", one.schedule.Text()}, {"fate", FateName(one.fate)}, {"reasons", one.reasons}};
  if (one.record) {
    json["record"] = one.record->id;
    json["outcome"] = OutcomeName(one.record->measurement.outcome);
  }
  if (one.fate == Fate::kMeasured) {
    json["median_ns"] = one.record->measurement.timing.median_ns;
    json["proven"] = IsVerified(one.record->measurement.proof);
  }
  if (one.fate == Fate::kSkipped && one.record->measurement.timing.low_ns > 0) {
    json["skipped_least_ns"] = one.record->measurement.timing.low_ns;
  }
  if (!one.predicted) return json;
  json["predicted"] = PredictedJson(*one.predicted);
  if (one.of_compiled) {
    const KernelResources& real = one.record->measurement.resources;
    json["compiled"] = {
        {"registers", real.registers}, {"spill_bytes", real.spill_bytes}, {"shared_bytes", real.shared_bytes}};
  }
  json["bound"] = one.bound;
  json["least_ns"] = one.least_ns;
  json["least_unit"] = one.unit;
  if (one.slower_than >= 0) json["predicted_slower_than"] = one.slower_than;
  return json;
}

Json NeighbourJson(const Neighbour& neighbour) {
  Json json = {{"change", neighbour.change}};
  json["ratio"] = neighbour.ratio > 0 ? Json(neighbour.ratio) : Json();
  json["from"] = neighbour.ratio <= 0 ? Json() : Json(neighbour.measured ? "measured" : "predicted");
  json.update(ScheduleJson(neighbour.explanation));
  return json;
}

Json FamilyJson(const FamilyExplanation& family) {
  Json refused = Json::array();
  for (const auto& [rule, count] : family.refused) refused.push_back({{"rule", rule}, {"count", count}});
  return {{"family", family.name}, {"searched", family.searched}, {"combinations", family.combinations},
          {"drawn", family.drawn}, {"valid", family.valid},       {"refused", std::move(refused)}};
}

}  // namespace

std::string ExplanationJson(const ProblemExplanation& all) {
  Json outcomes = Json::object();
  for (const auto& [outcome, count] : all.outcomes) outcomes[std::string(OutcomeName(outcome))] = count;
  Json neighbours = Json::array(), families = Json::array();
  for (const Neighbour& neighbour : all.neighbours) neighbours.push_back(NeighbourJson(neighbour));
  for (const FamilyExplanation& family : all.families) families.push_back(FamilyJson(family));
  const Json json = {{"problem", ProblemText(all.problem)},
                     {"device",
                      {{"kind", DeviceKindName(all.device.kind)},
                       {"name", all.device.name},
                       {"arch", all.device.arch},
                       {"of_log", all.device_of_log}}},
                     {"space_size", all.space_size.schedules},
                     {"space_size_estimated", all.space_size.estimated},
                     {"outcomes", std::move(outcomes)},
                     {"skipped_by", all.skipped},
                     {"sampled", all.sampled},
                     {"cannot_win", all.cannot_win},
                     {"of_best", all.of_best},
                     {"schedule", ScheduleJson(all.schedule)},
                     {"neighbours", std::move(neighbours)},
                     {"families", std::move(families)}};
  return PrintableJson(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace mmtune
