// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/spec_command.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "proto/json/tuning_spec_json.h"
#include "server/tune/commands/spec_entries.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr size_t kNamed = 5;

/// Why there is nothing to write: what the log has instead.
absl::Status NothingToWrite(TuningLogReader& log) {
  int64_t records = 0, unproven = 0;
  std::map<std::string, int64_t> outcomes;
  std::set<std::string> valid;
  RETURN_IF_ERROR(ForEachRecord(log, RecordFilter(), [&](const TuningRecord& record) {
    ++records;
    ++outcomes[std::string(OutcomeName(record.measurement.outcome))];
    if (record.measurement.outcome != Outcome::kOk) return;
    unproven += !Proven(record.measurement.proof);
    valid.insert(absl::StrCat(ProblemText(record.problem), " on ", DeviceText(record.device)));
  }));
  std::string text = "nothing to write: ";
  if (records == 0) {
    absl::StrAppend(&text, "the log has no records; run tune matmul first");
  } else if (valid.empty()) {
    absl::StrAppend(&text, "the log has no valid record, but ",
                    absl::StrJoin(outcomes, ", ", [](std::string* out, const auto& outcome) {
                      absl::StrAppend(out, outcome.second, " ", outcome.first);
                    }));
  } else {
    const size_t more = valid.size() - std::min(valid.size(), kNamed);
    while (valid.size() > kNamed) valid.erase(std::prev(valid.end()));
    absl::StrAppend(&text, "no valid record passes the filters; the log has ", absl::StrJoin(valid, ", "),
                    more > 0 ? absl::StrCat(" and ", more, " more") : "");
    if (unproven > 0) absl::StrAppend(&text, "; ", unproven, " of its records are not proven: --allow-unproven");
  }
  return ExitWith(ExitCode::kNoResult, PlainText(text));
}

/// Read back before it is written: an imported record may be malformed in a way that the log does not check.
absl::StatusOr<std::string> SpecText(const TuningSpec& spec) {
  std::string text = PrintableJson(TuningSpecToJson(spec));
  const absl::Status status = TuningSpecFromJson(text).status();
  if (!status.ok()) return ExitWith(ExitCode::kLog, WithContext(status, "a record of the log is malformed"));
  return text;
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  if (!options.arch.empty()) RETURN_IF_ERROR(ArchitectureLimits(options.arch).status());
  filter.outcome = Outcome::kOk;
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  filter.proven_only = !options.allow_unproven;
  filter.any_toolchain = options.any_toolchain;
  ASSIGN_OR_RETURN(const TuningSpec spec, SpecOfLog(*log, filter, options.arch));
  if (spec.entries.empty()) return NothingToWrite(*log);
  ASSIGN_OR_RETURN(std::string text, SpecText(spec));
  auto write = [&text](std::ostream& out) {
    out << text << std::flush;
    return out.good() ? absl::OkStatus() : Internal("writing failed");
  };
  const bool to_file = options.output != "-";
  RETURN_IF_ERROR(to_file ? WriteOutput(options.output, options.force, write) : write(console.out));
  filter.any_toolchain = true;
  ASSIGN_OR_RETURN(const TuningSpec any, SpecOfLog(*log, filter, options.arch));
  if (const size_t slower = CountSlower(spec, any); slower > 0) {
    console.err << "tune: note: an older toolchain measured something faster for " << slower << " of "
                << spec.entries.size() << " entries; --any-toolchain takes it" << std::endl;
  }
  if (to_file) {
    console.out << "wrote " << Grouped(static_cast<int64_t>(spec.entries.size()))
                << (spec.entries.size() == 1 ? " entry to " : " entries to ") << PlainText(options.output) << "\n";
  }
  return ExitCode::kOk;
}

}  // namespace mmtune
