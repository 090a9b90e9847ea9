// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/spec_entries.h"

#include <map>
#include <utility>

#include "proto/base/status.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {
namespace {

using Key = std::pair<std::string, std::string>;  // problem and class of devices

Key KeyOf(const TuningSpecEntry& entry) { return {entry.problem.CanonicalJson(), entry.device.ClassKey()}; }

}  // namespace

absl::StatusOr<TuningSpec> SpecOfLog(TuningLogReader& log, const RecordFilter& filter, const std::string& arch) {
  auto best = log.BestOfEach(filter, /*each=*/1);
  if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
  std::map<Key, TuningSpecEntry> entries;
  for (const bool cold : {false, true}) {
    for (const RankedRecord& ranked : *best) {
      const TuningRecord& record = ranked.record;
      if (record.measurement.timing.IsCold() != cold || (!arch.empty() && record.device.arch != arch)) continue;
      TuningSpecEntry entry;
      entry.problem = record.problem;
      entry.device = record.device;
      entry.schedule = record.schedule;
      entry.median_ns = ranked.ranked_ns;
      entry.code_digest = record.measurement.code_digest;
      entry.toolchain = record.toolchain;
      entry.proven = IsVerified(record.measurement.proof);
      entry.digest = EntryDigest(entry);
      entries.try_emplace(KeyOf(entry), std::move(entry));
    }
  }
  TuningSpec spec;
  for (auto& [key, entry] : entries) spec.entries.push_back(std::move(entry));
  return spec;
}

size_t CountSlower(const TuningSpec& spec, const TuningSpec& other) {
  std::map<Key, double> times;
  for (const TuningSpecEntry& entry : other.entries) times[KeyOf(entry)] = entry.median_ns;
  size_t slower = 0;
  for (const TuningSpecEntry& entry : spec.entries) {
    const auto at = times.find(KeyOf(entry));
    slower += at != times.end() && at->second < entry.median_ns;
  }
  return slower;
}

}  // namespace mmtune
