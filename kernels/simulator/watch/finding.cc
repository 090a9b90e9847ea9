// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/watch/finding.h"

#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::simt {
namespace {

using Json = nlohmann::ordered_json;

std::string ThreadText(const FindingParty& party) {
  return absl::StrCat("block ", IndexText(party.block), ", thread ", IndexText(party.thread), ", warp ", party.warp,
                      ", lane ", party.lane);
}

std::string PartyText(const Finding& finding, size_t i) {
  const FindingParty& party = finding.parties[i];
  std::string text = absl::StrCat("\n  ", party.location, ": ", party.operation);
  if (i >= finding.party_counts.size()) return absl::StrCat(text, " by ", ThreadText(party));
  const uint32_t count = finding.party_counts[i];
  return absl::StrCat(text, ": ", count, count == 1 ? " thread " : " threads, each ", party.state,
                      ", the first: ", ThreadText(party));
}

Json PartyJson(const Finding& finding, size_t i) {
  const FindingParty& party = finding.parties[i];
  Json json = {{"operation", party.operation}, {"location", party.location}, {"block", party.block},
               {"thread", party.thread},       {"warp", party.warp},         {"lane", party.lane}};
  if (!party.state.empty()) json["state"] = party.state;
  if (i < finding.party_counts.size()) json["count"] = finding.party_counts[i];
  return json;
}

}  // namespace

bool IsRace(const Finding& finding) { return absl::StrContains(finding.kind, "race"); }

std::string FindingText(const Finding& finding) {
  std::string text = absl::StrCat(finding.kind, ": kernel ", finding.kernel, ": ", finding.what);
  if (!finding.address.empty()) absl::StrAppend(&text, " (", finding.address, ")");
  for (size_t i = 0; i < finding.parties.size(); ++i) absl::StrAppend(&text, PartyText(finding, i));
  if (finding.occurrences > 1) absl::StrAppend(&text, "\n  seen ", finding.occurrences, " times");
  if (!finding.hint.empty()) absl::StrAppend(&text, "\n  hint: ", finding.hint);
  return text;
}

std::string FindingsJson(const std::vector<Finding>& findings) {
  Json array = Json::array();
  for (const Finding& finding : findings) {
    Json json = {{"kind", finding.kind}, {"kernel", finding.kernel}, {"what", finding.what}};
    if (!finding.address.empty()) json["address"] = finding.address;
    json["parties"] = Json::array();
    for (size_t i = 0; i < finding.parties.size(); ++i) json["parties"].push_back(PartyJson(finding, i));
    json["occurrences"] = finding.occurrences;
    if (!finding.hint.empty()) json["hint"] = finding.hint;
    array.push_back(std::move(json));
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mmtune::simt
