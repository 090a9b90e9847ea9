// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/records_transfer.h"

#include <string.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "db/log_check.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/report/landscape_export.h"
#include "server/tune/report/record_landscape.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

absl::StatusOr<int64_t> ExportTo(TuningLogReader& log, const RecordFilter& filter, std::ostream& out) {
  auto written = ExportJsonl(log, filter, [&out](std::string_view line) -> absl::Status {
    out << PrintableJson(line) << '\n';
    return out.good() ? absl::OkStatus() : Internal(absl::StrCat("writing failed: ", strerror(errno)));
  });
  if (!written.ok()) return ExitWith(ExitCode::kLog, written.status());
  out.flush();
  if (!out.good()) return Internal(absl::StrCat("writing failed: ", strerror(errno)));
  return written;
}

/// Whether a proven time passes.
absl::StatusOr<bool> HasProven(TuningLogReader& log, RecordFilter filter) {
  filter.outcome = Outcome::kOk;
  filter.proven_only = true;
  auto first = log.Query(filter, /*after_id=*/0, /*limit=*/1);
  if (!first.ok()) return ExitWith(ExitCode::kLog, first.status());
  return !first->empty();
}

/// One record of each schedule, for other tools; the number of schedules. Times without a proof count only where there
/// are no others, or where they are allowed.
absl::StatusOr<int64_t> ExportLandscape(TuningLogReader& log, RecordFilter filter, LandscapeFormat format,
                                        bool allow_unproven, const Console& console, std::ostream& out) {
  const Regime regime = filter.regime.value_or(Regime::kWarm);
  filter.regime = regime;
  bool proven_only = false;
  if (!allow_unproven) {
    ASSIGN_OR_RETURN(proven_only, HasProven(log, filter));
  }
  // A failure has no regime: what was timed is chosen here.
  filter.regime.reset();
  RecordLandscape landscape;
  absl::Status status;
  int64_t left_out = 0;
  RETURN_IF_ERROR(ForEachRecord(log, filter, [&](TuningRecord record) {
    const Measurement& measured = record.measurement;
    const std::string& timed = measured.timing.regime;
    if (!status.ok() || (!timed.empty() && timed != RegimeName(regime))) return;
    if (proven_only && measured.outcome == Outcome::kOk && !IsVerified(measured.proof)) {
      ++left_out;
    } else {
      status = landscape.Add(std::move(record));
    }
  }));
  RETURN_IF_ERROR(status);
  if (left_out > 0) {
    console.err << "tune: records left out that are not proven: " << Grouped(left_out)
                << "; --allow-unproven includes them" << std::endl;
  }
  if (landscape.records().empty())
    return InvalidArgument("no records to export: tune records list shows what there is");
  WriteLandscape(landscape.records(), format, out);
  out.flush();
  if (!out.good()) return Internal(absl::StrCat("writing failed: ", strerror(errno)));
  return static_cast<int64_t>(landscape.records().size());
}

absl::Status CannotRead(const std::string& file) {
  return InvalidArgument(absl::StrCat("cannot read ", PlainText(file), ": ", strerror(errno)));
}

}  // namespace

absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options));
  const bool one_each = options.landscape || options.kernel_tuner;
  if (options.allow_unproven && !one_each) {
    return InvalidArgument(
        "--allow-unproven is for --landscape and --kernel-tuner: without them every record is exported");
  }
  LandscapeFormat format = LandscapeFormat::kKernelTuner;
  if (options.landscape) {
    ASSIGN_OR_RETURN(format, LandscapeFormatOf(options.output));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(options.log));
  DamageNotes notes(*log, console);
  const auto write = [&](std::ostream& out) {
    return one_each ? ExportLandscape(*log, filter, format, options.allow_unproven, console, out)
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

absl::StatusOr<ExitCode> RunRecordsCheck(const RecordsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(options.log, /*create_folder=*/false));
  auto tell = [&console](const DamagedRecord& record) {
    console.out << "record " << record.id << " (" << PlainText(record.uuid) << ") is damaged: " << PlainText(record.why)
                << "\n";
  };
  const absl::StatusOr<LogCheck> check = options.repair ? RepairTuningLog(path, tell) : CheckTuningLog(path, tell);
  if (!check.ok()) return ExitWith(ExitCode::kLog, check.status());
  for (const std::string& row : check->rows) console.out << PlainText(row) << "\n";
  console.out << "checked " << Grouped(check->records) << " records of " << path << ", damaged "
              << Grouped(check->damaged);
  if (check->backup.empty()) {
    console.out << (check->damaged > 0 ? "; --repair restores or removes them\n" : "\n");
    return check->damaged > 0 ? ExitCode::kLog : ExitCode::kOk;
  }
  console.out << "\nrestored " << Grouped(check->restored) << ", removed " << Grouped(check->removed);
  if (check->set_aside > 0) console.out << " and with these " << Grouped(check->set_aside) << " records that are whole";
  console.out << "; the log as it was: " << check->backup << "\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunRecordsImport(const RecordsOptions& options, const Console& console) {
  const std::string& file = options.input;
  std::ifstream in;
  if (file != "-") {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) errno = EISDIR;
    in.open(file);
    if (!in || std::filesystem::is_directory(file, error)) return CannotRead(file);
  }
  std::istream& input = file == "-" ? std::cin : in;
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(options.log, /*create_folder=*/true));
  auto log = OpenTuningLog(path, {.endpoint = "", .bulk = true, .discard_unused = true});
  if (!log.ok()) return ExitWith(ExitCode::kLog, log.status());
  auto imported = ImportJsonl(**log, ImportLines(input));
  if (!imported.ok()) {
    const absl::Status error = WithContext(imported.status(), file == "-" ? "standard input" : PlainText(file));
    return absl::IsInvalidArgument(error) ? ExitWith(ExitCode::kUsage, error) : ExitWith(ExitCode::kLog, error);
  }
  console.out << "imported " << Grouped(imported->added) << " records, " << Grouped(imported->present)
              << " already present, into " << PlainText(path) << "\n";
  return ExitCode::kOk;
}

}  // namespace mmtune
