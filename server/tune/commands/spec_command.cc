// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/spec_command.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/report/format.h"
#include "server/tune/session/console.h"

namespace mmtune {
namespace {

using Key = std::pair<std::string, std::string>;  // problem and class of devices

Key KeyOf(const TuningSpecEntry& entry) { return {entry.problem.CanonicalJson(), entry.device.ClassKey()}; }

/// Returns an error if readers of the spec would refuse the entry for what the log does not check in a record: it may
/// have been imported without the digest of its code.
absl::Status CheckEntry(const TuningSpecEntry& entry) {
  const bool is_digest = IsCodeDigest(entry.code_digest);
  if (is_digest && std::isfinite(entry.median_ns) && entry.median_ns > 0) return absl::OkStatus();
  return ExitWith(
      ExitCode::kLog,
      PlainText(absl::StrCat("a record of the log is malformed: for ", ProblemText(entry.problem), " on ",
                             DeviceText(entry.device), is_digest ? " median_ns" : " code_digest", " is ",
                             is_digest ? absl::StrCat(entry.median_ns, ", not a positive time")
                                       : absl::StrCat("'", entry.code_digest, "', not a SHA-256 in lower-case hex"),
                             "; remove the record, or tune the problem again")));
}

}  // namespace

absl::StatusOr<LogSpec> SpecOfLog(TuningLogReader& log, const RecordFilter& filter, const std::string& arch) {
  auto best = log.BestSchedules(filter);
  if (!best.ok()) return ExitWith(ExitCode::kLog, best.status());
  const auto is_of_first_regime = [&best](const BestSchedule& schedule) {
    return schedule.regime == best->front().regime;
  };
  // Only another regime may have the same problem and device again.
  const bool may_repeat = !std::all_of(best->begin(), best->end(), is_of_first_regime);
  std::set<Key> present;
  LogSpec found;
  found.spec.entries.reserve(best->size());
  for (const bool cold : {false, true}) {
    for (BestSchedule& schedule : *best) {
      if ((schedule.regime == RegimeName(Regime::kCold)) != cold) continue;
      TuningSpecEntry& entry = schedule.entry;
      if (!arch.empty() && entry.device.arch != arch) continue;
      if (may_repeat && !present.insert(KeyOf(entry)).second) continue;
      RETURN_IF_ERROR(CheckEntry(entry));
      found.slower += schedule.any_toolchain_ns < entry.median_ns;
      entry.digest = EntryDigest(entry);
      found.spec.entries.push_back(std::move(entry));
    }
  }
  return found;
}

namespace {

constexpr size_t kMaxShown = 5;

/// Returns an error that says what the log has instead.
absl::Status NothingToWrite(TuningLogReader& log, RecordFilter filter, const std::string& arch) {
  RecordFilter any;
  any.any_toolchain = true;
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> best, log.BestOfEach(any, /*each=*/1));
  std::set<std::string> valid;
  for (const RankedRecord& ranked : best) {
    valid.insert(absl::StrCat(ProblemText(ranked.record.problem), " on ", DeviceText(ranked.record.device)));
  }
  std::string text = "nothing to write: ";
  if (valid.empty()) {
    std::vector<std::string> outcomes;
    for (const Outcome outcome : kAllOutcomes) {
      RecordFilter of_outcome;
      of_outcome.outcome = outcome;
      ASSIGN_OR_RETURN(const std::vector<TuningRecord> newest, log.Newest(of_outcome, INT64_MAX, /*limit=*/1));
      if (!newest.empty()) outcomes.emplace_back(OutcomeName(outcome));
    }
    absl::StrAppend(&text, outcomes.empty() ? "the log has no records; run tune matmul first"
                                            : absl::StrCat("the log has no valid record, but ones that are ",
                                                           absl::StrJoin(outcomes, ", ")));
  } else {
    const size_t more = valid.size() - std::min(valid.size(), kMaxShown);
    while (valid.size() > kMaxShown) valid.erase(std::prev(valid.end()));
    absl::StrAppend(&text, "no valid record passes the filters; the log has ", absl::StrJoin(valid, ", "),
                    more > 0 ? absl::StrCat(" and ", more, " more") : "");
    filter.verified_only = false;
    ASSIGN_OR_RETURN(const LogSpec unverified, SpecOfLog(log, filter, arch));
    if (const size_t entries = unverified.spec.entries.size(); entries > 0) {
      absl::StrAppend(&text, "; the records of ", entries, entries == 1 ? " entry" : " entries",
                      " are not verified: --allow-unverified");
    }
  }
  return ExitWith(ExitCode::kNoResult, PlainText(text));
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  filter.outcome = Outcome::kOk;
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  filter.verified_only = !options.allow_unverified;
  filter.any_toolchain = options.any_toolchain;
  ASSIGN_OR_RETURN(const LogSpec found, SpecOfLog(*log, filter, options.arch));
  const TuningSpec& spec = found.spec;
  if (spec.entries.empty()) return NothingToWrite(*log, filter, options.arch);
  RETURN_IF_ERROR(WriteText(options.output, options.force, PrintableJson(TuningSpecToJson(spec)), console));
  if (!options.any_toolchain && found.slower > 0) {
    console.err << "tune: note: an older toolchain measured something faster for " << found.slower << " of "
                << spec.entries.size() << " entries; --any-toolchain takes it" << std::endl;
  }
  if (options.output != "-") {
    console.out << "wrote " << Grouped(static_cast<int64_t>(spec.entries.size()))
                << (spec.entries.size() == 1 ? " entry to " : " entries to ") << PlainText(options.output) << "\n";
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
