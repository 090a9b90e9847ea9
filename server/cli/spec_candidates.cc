// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/spec_candidates.h"

#include <algorithm>
#include <tuple>

namespace mmtune {
namespace {

/// A total order: the same log gives the same spec. Regimes do not compare: the warm one counts.
bool Faster(const TuningRecord& a, const TuningRecord& b) {
  const Timing &left = a.measurement.timing, &right = b.measurement.timing;
  return std::tuple(left.IsCold(), left.median_ns, a.schedule.Text(), a.uuid) <
         std::tuple(right.IsCold(), right.median_ns, b.schedule.Text(), b.uuid);
}

TuningSpecEntry EntryOf(const TuningRecord& record) {
  return {record.problem,
          record.device,
          record.schedule,
          record.measurement.timing.median_ns,
          record.measurement.code_digest,
          record.toolchain,
          Proven(record.measurement.proof)};
}

/// Whether `a`, of two records of one schedule, answers for it: proven ones do so before the others.
bool Speaks(const TuningRecord& a, const TuningRecord& b) {
  const auto rank = [](const TuningRecord& r) {
    return std::tuple(r.measurement.timing.IsCold(), !Proven(r.measurement.proof));
  };
  return rank(a) != rank(b) ? rank(a) < rank(b) : Faster(a, b);
}

}  // namespace

void SpecCandidates::Add(const TuningRecord& record) {
  const Measurement& measured = record.measurement;
  if (!record.canonical || !measured.Ranks(allow_unproven_) || !measured.Timed()) return;
  Group& group = groups_[{record.problem.CanonicalJson(), record.device.ClassKey()}];
  OfToolchain& found = group[record.toolchain.Digest()];
  found.newest_unix_millis = std::max(found.newest_unix_millis, record.unix_millis);
  // Where only proven records count, the fastest of all speaks.
  auto [at, inserted] = found.speakers.try_emplace(allow_unproven_ ? record.schedule.Digest() : "", record);
  if (!inserted && Speaks(record, at->second)) at->second = record;
}

const TuningRecord& SpecCandidates::Winner(const Group& group, bool any_toolchain) {
  const auto newest = std::max_element(group.begin(), group.end(), [](const auto& a, const auto& b) {
    return a.second.newest_unix_millis < b.second.newest_unix_millis;
  });
  const TuningRecord* best = nullptr;
  for (auto at = group.begin(); at != group.end(); ++at) {
    if (!any_toolchain && at != newest) continue;
    for (const auto& [schedule, record] : at->second.speakers) {
      if (best == nullptr || Faster(record, *best)) best = &record;
    }
  }
  return *best;
}

TuningSpec SpecCandidates::Best(bool any_toolchain) const {
  TuningSpec spec;
  for (const auto& [key, group] : groups_) spec.entries.push_back(EntryOf(Winner(group, any_toolchain)));
  return spec;
}

size_t SpecCandidates::SlowerThanOlder() const {
  return static_cast<size_t>(std::count_if(groups_.begin(), groups_.end(), [](const auto& entry) {
    return Winner(entry.second, false).measurement.timing.median_ns >
           Winner(entry.second, true).measurement.timing.median_ns;
  }));
}

}  // namespace mmtune
