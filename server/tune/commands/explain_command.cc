// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune explain`: why schedules were run, or were not.
#include "server/tune/commands/commands.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/ranked_record.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/profile_command.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/explain/explain_output.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

struct ExplainOptions {
  ProblemOptions problem;
  std::string schedule;  ///< Empty: the best one.
  std::string log;       ///< Empty: the default, which need not be there.
  std::string device;    ///< See RecordFilter::device; empty: any.
  std::string arch;      ///< Empty: that of the records, else kDefaultProfileArch.
  std::string regime = "warm";
  OutputFormat format = OutputFormat::kTable;
};

/// The records of one class of devices.
struct DeviceRecords {
  DeviceInfo device;
  std::vector<TuningRecord> records;
};

/// Returns a key that is smaller for CUDA devices, and for faster ones.
std::pair<int, double> Rank(const DeviceRecords& group) {
  const std::vector<RankedRecord> ranking = RankVerifiedOrAll(group.records);
  const double best = ranking.empty() ? 0 : ranking.front().ranked_ns;
  return {(group.device.kind == DeviceKind::kSimt) + 2 * (best == 0), best};
}

/// Returns the records of the best class of devices by Rank(); none if the default log does not exist or has none.
absl::StatusOr<DeviceRecords> ReadRecords(const ExplainOptions& options, const MatmulProblem& problem,
                                          const Console& console) {
  DeviceRecords chosen;
  absl::StatusOr<std::unique_ptr<TuningLogReader>> log = OpenLogForReading(options.log);
  if (options.log.empty() && absl::IsNotFound(log.status())) return chosen;
  if (!log.ok()) return log.status();
  DamageNotes notes(**log, console);
  RecordFilter filter;
  filter.problem = problem;
  filter.device = options.device;
  std::map<std::string, DeviceRecords> groups;
  RETURN_IF_ERROR(ForEachRecord(**log, filter, [&](TuningRecord record) {
    const std::string& regime = record.measurement.timing.regime;
    if ((!regime.empty() && regime != options.regime) ||
        (!options.arch.empty() && record.device.arch != options.arch)) {
      return;
    }
    DeviceRecords& group = groups[record.device.ClassKey()];
    group.device = record.device;
    group.records.push_back(std::move(record));
  }));
  for (auto& [key, group] : groups) {
    if (chosen.records.empty() || Rank(group) < Rank(chosen)) chosen = std::move(group);
  }
  if (chosen.records.empty() && !options.device.empty()) {
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("the log has no record of ", ProblemText(problem), " on a device '",
                                 PlainText(options.device), "': give --arch alone, or tune first"));
  }
  if (chosen.records.empty()) {
    if (const std::string meant = SuggestProblem(**log, problem); !meant.empty()) {
      console.err << "tune: the log has no record of " << ProblemText(problem) << meant << std::endl;
    }
  }
  return chosen;
}

absl::StatusOr<ExitCode> RunExplainCommand(const ExplainOptions& options, const Console& console) {
  ProblemExplanation all;
  ASSIGN_OR_RETURN(all.problem, MakeProblem(options.problem));
  RETURN_IF_ERROR(ParseRegime(options.regime).status());
  Schedule asked;
  if (!options.schedule.empty()) {
    ASSIGN_OR_RETURN(asked, ParseSchedule(options.schedule));
  }
  // An unknown architecture is an error even if the log has records.
  const std::string arch = options.arch.empty() ? kDefaultProfileArch : options.arch;
  ASSIGN_OR_RETURN(all.device, ArchitectureLimits(arch));
  all.device.kind = DeviceKind::kCuda;
  ASSIGN_OR_RETURN(const DeviceRecords found, ReadRecords(options, all.problem, console));
  all.device_of_log = !found.records.empty();
  if (all.device_of_log) all.device = found.device;
  ASSIGN_OR_RETURN(const std::unique_ptr<Explainer> explainer,
                   Explainer::Create(all.problem, all.device, found.records));
  const std::map<Outcome, int64_t> outcomes = explainer->Outcomes();
  all.outcomes.assign(outcomes.begin(), outcomes.end());
  all.skipped = explainer->skipped();
  all.space_size = explainer->space_size();
  all.cannot_win = explainer->cannot_win();
  all.sampled = explainer->sampled();
  all.of_best = options.schedule.empty();
  all.schedule = explainer->Explain(all.of_best ? explainer->best() : asked);
  all.neighbours = explainer->Neighbours(all.schedule.schedule);
  if (all.of_best) all.families = ExplainFamilies(all.problem, all.device);
  const bool json = options.format == OutputFormat::kJson;
  console.out << (json ? ExplanationJson(all) + "\n" : ExplanationText(all, console.tables)) << std::flush;
  return ExitCode::kOk;
}

}  // namespace

void AddExplainCommand(Commands& commands, CLI::App& app) {
  ExplainOptions& options = commands.Keep<ExplainOptions>();
  CLI::App& command = commands.Add(app, "explain", "Say why schedules were run or were not, and what they should take",
                                   RunExplainCommand, options);
  command.footer(
      "What is measured comes from the log; what is not is predicted by the formula that searches begin with, and "
      "marked so. No device is used.\n\n"
      "Examples:\n"
      "  tune explain 4096x4096x4096 --log tuning.db\n"
      "  tune explain 4096x4096x4096 --arch sm_90 --schedule 'fma bm=128 bn=128 ...'\n");
  AddSchedule(command, options.schedule, "default the best of the log");
  AddLog(command, options.log);
  AddDeviceFilter(command, options.device, "default the one with the fastest record");
  AddText(command, "--arch", options.arch, "ARCH",
          absl::StrCat("Records of one of ", KnownArchitectures(),
                       ", and where the log has none, a GPU of it; default ", kDefaultProfileArch));
  AddRegime(command, options.regime, "What was timed with warm, or with cold operands");
  commands.AddFormats(command, options.format, kSeveralTables);
  AddProblem(command, options.problem);
}

}  // namespace mmtune
