// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/export_commands.h"

#include <string.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/jsonl.h"
#include "proto/base/output_file.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/report/format.h"
#include "server/tune/report/landscape_file.h"
#include "server/tune/report/seed_file.h"
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

namespace {

constexpr int kSeedsOfEach = 10;

absl::StatusOr<int64_t> ExportTo(TuningLogReader& log, const RecordFilter& filter, std::ostream& out) {
  auto written = ExportJsonl(log, filter, [&out](std::string_view line) -> absl::Status {
    out << PrintableJson(line) << '\n';
    return out.good() ? absl::OkStatus() : Internal(absl::StrCat("cannot write the export: ", strerror(errno)));
  });
  if (!written.ok()) return ExitWith(ExitCode::kLog, written.status());
  out.flush();
  if (!out.good()) return Internal(absl::StrCat("cannot write the export: ", strerror(errno)));
  return written;
}

/// True if a verified time passes the filter.
absl::StatusOr<bool> HasVerified(TuningLogReader& log, RecordFilter filter) {
  filter.outcome = Outcome::kOk;
  filter.verified_only = true;
  auto first = log.Query(filter, /*after_id=*/0, /*limit=*/1);
  if (!first.ok()) return ExitWith(ExitCode::kLog, first.status());
  return !first->empty();
}

/// Writes one record of each schedule and returns their number. Unverified times count only if there are no others, or
/// if they are allowed.
absl::StatusOr<int64_t> ExportLandscape(TuningLogReader& log, RecordFilter filter, LandscapeFormat format,
                                        bool allow_unverified, const Console& console, std::ostream& out) {
  const Regime regime = filter.regime.value_or(Regime::kWarm);
  filter.regime = regime;
  bool verified_only = false;
  if (!allow_unverified) {
    ASSIGN_OR_RETURN(verified_only, HasVerified(log, filter));
  }
  // Failures have no regime, so that the regime is tested here.
  filter.regime.reset();
  RecordLandscape landscape;
  absl::Status status;
  int64_t left_out = 0;
  RETURN_IF_ERROR(ForEachRecord(log, filter, [&](TuningRecord record) {
    const Measurement& measured = record.measurement;
    const std::string& timed = measured.timing.regime;
    if (!status.ok() || (!timed.empty() && timed != RegimeName(regime))) return;
    if (verified_only && measured.outcome == Outcome::kOk && !IsVerified(measured.verification)) {
      ++left_out;
    } else {
      status = landscape.Add(std::move(record));
    }
  }));
  RETURN_IF_ERROR(status);
  if (left_out > 0) {
    console.err << "tune: records left out that are not verified: " << Grouped(left_out)
                << "; --allow-unverified includes them" << std::endl;
  }
  if (landscape.records().empty())
    return InvalidArgument("no records to export: tune records list shows what there is");
  WriteLandscape(landscape.records(), format, out);
  out.flush();
  if (!out.good()) return Internal(absl::StrCat("cannot write the export: ", strerror(errno)));
  return static_cast<int64_t>(landscape.records().size());
}

/// Writes the best schedules as seeds for another tuner: to one file, or to a folder where the format has several.
absl::StatusOr<ExitCode> ExportSeeds(const RecordsOptions& options, RecordFilter filter, const Console& console) {
  ASSIGN_OR_RETURN(const SeedFormat format, ParseSeedFormat(options.seeds));
  const bool folder = format == SeedFormat::kVllm;
  if (folder && options.output == "-") return InvalidArgument("--format vllm writes several files: name a folder");
  filter.outcome = Outcome::kOk;
  filter.verified_only = !options.allow_unverified;
  if (!filter.regime) filter.regime = Regime::kWarm;
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  auto rankings = log->BestOfEach(filter, kSeedsOfEach);
  if (!rankings.ok()) return ExitWith(ExitCode::kLog, rankings.status());
  ASSIGN_OR_RETURN(const SeedFiles seeds, MakeSeedFiles(*rankings, format));
  const std::string left_out = seeds.left_out == 0
                                   ? ""
                                   : absl::StrCat("left out, as that format's kernels cannot have them: ",
                                                  Grouped(static_cast<int64_t>(seeds.left_out)));
  if (options.output == "-") {
    console.out << seeds.files.front().text << std::flush;
    if (!left_out.empty()) console.err << "tune: " << left_out << std::endl;
    return ExitCode::kOk;
  }
  std::vector<Output> outputs;
  for (const SeedFile& file : seeds.files) {
    outputs.push_back({.path = folder ? absl::StrCat(options.output, "/", file.name) : options.output,
                       .secret = false,
                       .write = [&file](std::ostream& out) {
                         out << file.text;
                         return absl::OkStatus();
                       }});
  }
  std::error_code error;
  if (folder) std::filesystem::create_directories(options.output, error);
  if (error)
    return InvalidArgument(absl::StrCat("cannot make the folder ", PlainText(options.output), ": ", error.message()));
  RETURN_IF_ERROR(WriteOutputs(outputs, options.force));
  console.out << "exported " << Grouped(static_cast<int64_t>(seeds.seeds)) << " schedules to "
              << PlainText(options.output) << " as seeds";
  if (!left_out.empty()) console.out << "; " << left_out;
  console.out << std::endl;
  return ExitCode::kOk;
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  if (!options.seeds.empty()) return ExportSeeds(options, std::move(filter), console);
  const bool one_each = options.landscape || options.kernel_tuner;
  if (options.allow_unverified && !one_each) {
    return InvalidArgument(
        "--allow-unverified is for --landscape, --kernel-tuner and --format: without them every record is exported");
  }
  LandscapeFormat format = LandscapeFormat::kKernelTuner;
  if (options.landscape) {
    ASSIGN_OR_RETURN(format, LandscapeFormatOf(options.output));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  const auto write = [&](std::ostream& out) {
    return one_each ? ExportLandscape(*log, filter, format, options.allow_unverified, console, out)
                    : ExportTo(*log, filter, out);
  };
  if (options.output == "-") {
    RETURN_IF_ERROR(write(console.out).status());
    return ExitCode::kOk;
  }
  int64_t written = 0;
  RETURN_IF_ERROR(WriteOutput(options.output, options.force, [&](std::ostream& out) -> absl::Status {
    ASSIGN_OR_RETURN(written, write(out));
    return absl::OkStatus();
  }));
  console.out << "exported " << Grouped(written) << (one_each ? " schedules to " : " records to ")
              << PlainText(options.output) << "\n";
  return ExitCode::kOk;
}

}  // namespace mmtune
