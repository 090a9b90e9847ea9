// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/ranked_record.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace mmtune {
namespace {

/// Limit of the factor between a time from a comparison and the schedule's own times.
constexpr double kMaxApart = 4;

/// The order of records in time, the same in every log.
using Age = std::pair<int64_t, std::string>;
Age AgeOf(const TuningRecord& record) { return {record.unix_millis, record.uuid}; }

/// A schedule whose records all count.
struct Entry {
  RankedRecord ranked;
  Age compared_at;                         ///< Age of the record with its comparison.
  double shortest_ns = 0, longest_ns = 0;  ///< Times of its records.
  std::string digest;                      ///< That of the schedule.
  std::string reference;                   ///< Text of the reference that places it; empty: its own time does.
  bool is_tied = false;                    ///< Tied with its reference, or such a reference itself.
};

Entry MakeEntry(std::vector<TuningRecord> records) {
  Entry entry;
  const auto is_verified = [](const TuningRecord& record) { return IsVerified(record.measurement.verification); };
  if (std::any_of(records.begin(), records.end(), is_verified)) std::erase_if(records, std::not_fn(is_verified));
  for (const TuningRecord& record : records) {
    const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
    if (!comparison || (entry.ranked.comparison && entry.compared_at > AgeOf(record))) continue;
    entry.ranked.comparison = comparison;
    entry.compared_at = AgeOf(record);
  }
  const auto run_of = [](const TuningRecord& record) {
    return std::tuple(record.measurement.timing.median_ns, std::string_view(record.measurement.conditions.run));
  };
  std::sort(records.begin(), records.end(), [&](const TuningRecord& a, const TuningRecord& b) {
    return std::tuple_cat(run_of(a), std::tuple(std::string_view(a.uuid))) <
           std::tuple_cat(run_of(b), std::tuple(std::string_view(b.uuid)));
  });
  records.erase(std::unique(records.begin(), records.end(),
                            [&](const TuningRecord& a, const TuningRecord& b) {
                              return !a.measurement.conditions.run.empty() && run_of(a) == run_of(b);
                            }),
                records.end());
  entry.shortest_ns = records.front().measurement.timing.median_ns;
  entry.longest_ns = records.back().measurement.timing.median_ns;
  entry.ranked.record = std::move(records[records.size() / 2]);
  entry.digest = entry.ranked.record.schedule.Digest();
  entry.ranked.ranked_ns = entry.ranked.place_ns = entry.ranked.record.measurement.timing.median_ns;
  return entry;
}

/// The schedules of one toolchain, by text.
class Schedules {
 public:
  explicit Schedules(std::vector<TuningRecord> records) {
    std::map<std::string, std::vector<TuningRecord>> by_schedule;
    for (TuningRecord& record : records) by_schedule[record.schedule.Text()].push_back(std::move(record));
    for (auto& [text, own] : by_schedule) entries_.emplace(text, MakeEntry(std::move(own)));
  }

  std::vector<RankedRecord> Ranked() && {
    FindReferences();
    for (auto& [text, entry] : entries_) Place(entry);
    std::vector<Entry*> order;
    for (auto& [text, entry] : entries_) {
      if (entry.is_tied && !entry.reference.empty()) entries_.at(entry.reference).is_tied = true;
      order.push_back(&entry);
    }
    std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
      return std::tie(a->ranked.place_ns, b->is_tied, a->digest) < std::tie(b->ranked.place_ns, a->is_tied, b->digest);
    });
    std::vector<RankedRecord> ranked;
    for (Entry* entry : order) ranked.push_back(std::move(entry->ranked));
    return ranked;
  }

 private:
  /// Newer comparisons first; one that would close a circle does not count.
  void FindReferences() {
    std::vector<std::pair<const std::string, Entry>*> compared;
    for (auto& entry : entries_) {
      if (entry.second.ranked.comparison) compared.push_back(&entry);
    }
    std::stable_sort(compared.begin(), compared.end(),
                     [](const auto* a, const auto* b) { return a->second.compared_at > b->second.compared_at; });
    for (auto* at : compared) {
      auto& [text, entry] = *at;
      const std::string reference = entry.ranked.comparison->reference.Text();
      std::string root = MayPlace(entry, reference) ? reference : text;
      while (!entries_.at(root).reference.empty()) root = entries_.at(root).reference;
      if (root == text) {
        entry.ranked.comparison.reset();
      } else {
        entry.reference = reference;
      }
    }
  }

  bool MayPlace(const Entry& entry, const std::string& reference) const {
    const auto at = entries_.find(reference);
    if (at == entries_.end()) return false;
    const double ns = entry.ranked.comparison->ratio * at->second.ranked.record.measurement.timing.median_ns;
    return ns >= entry.shortest_ns / kMaxApart && ns <= entry.longest_ns * kMaxApart;
  }

  void Place(Entry& entry) {
    if (entry.reference.empty() || placed_.contains(&entry)) return;
    placed_.insert(&entry);
    Entry& reference = entries_.at(entry.reference);
    Place(reference);
    RankedRecord& ranked = entry.ranked;
    ranked.ranked_ns = ranked.place_ns = ranked.comparison->ratio * reference.ranked.ranked_ns;
    if (!IsAsFast(*ranked.comparison)) return;
    entry.is_tied = true;
    ranked.place_ns = reference.ranked.place_ns;
  }

  std::map<std::string, Entry> entries_;
  std::set<const Entry*> placed_;
};

}  // namespace

bool IsAsFast(const Comparison& comparison) { return comparison.Tied() && std::fabs(comparison.ratio - 1) <= kAsFast; }

std::vector<RankedRecord> RankRecords(std::vector<TuningRecord> records, const RankingRule& rule) {
  struct OfToolchain {
    Toolchain toolchain;
    Age newest;
    std::vector<TuningRecord> records;
  };
  std::vector<OfToolchain> groups;
  for (TuningRecord& record : records) {
    if (!record.canonical || !record.measurement.Timed() || !record.measurement.Ranks(rule.allow_unverified)) continue;
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&record](const OfToolchain& group) { return group.toolchain == record.toolchain; });
    if (at == groups.end()) at = groups.insert(at, {record.toolchain, {}, {}});
    at->newest = std::max(at->newest, AgeOf(record));
    at->records.push_back(std::move(record));
  }
  std::sort(groups.begin(), groups.end(),
            [](const OfToolchain& a, const OfToolchain& b) { return a.newest > b.newest; });
  if (!rule.toolchain.empty()) {
    std::erase_if(groups, [&](const OfToolchain& group) { return group.toolchain.Digest() != rule.toolchain; });
  }
  if (!rule.any_toolchain && groups.size() > 1) groups.resize(1);
  std::vector<RankedRecord> ranked;
  for (OfToolchain& group : groups) {
    for (RankedRecord& record : Schedules(std::move(group.records)).Ranked()) ranked.push_back(std::move(record));
  }
  if (groups.size() < 2) return ranked;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedRecord& a, const RankedRecord& b) { return a.place_ns < b.place_ns; });
  std::set<std::string> seen;
  std::erase_if(ranked, [&seen](const RankedRecord& r) { return !seen.insert(r.record.schedule.Text()).second; });
  return ranked;
}

std::vector<RankedRecord> RankVerifiedOrAll(std::vector<TuningRecord> records) {
  const bool any = std::any_of(records.begin(), records.end(), [](const TuningRecord& record) {
    return record.canonical && record.measurement.Timed() && record.measurement.Ranks(/*allow_unverified=*/false);
  });
  return RankRecords(std::move(records), {.allow_unverified = !any, .any_toolchain = false, .toolchain = ""});
}

TuningRecord AsRanked(const RankedRecord& ranked) {
  TuningRecord record = ranked.record;
  record.measurement.conditions.comparison = ranked.comparison;
  if (!ranked.comparison) return record;
  const Comparison& comparison = *ranked.comparison;
  const double reference_ns = ranked.ranked_ns / comparison.ratio;
  Timing& timing = record.measurement.timing;
  timing.median_ns = ranked.ranked_ns;
  timing.low_ns = comparison.low * reference_ns;
  timing.high_ns = comparison.high * reference_ns;
  timing.samples_ns = comparison.ratios;
  for (double& sample : timing.samples_ns) sample *= reference_ns;
  return record;
}

}  // namespace mmtune
