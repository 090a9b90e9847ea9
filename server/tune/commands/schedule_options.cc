// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/schedule_options.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"

namespace mmtune {

void AddScheduleOptions(CLI::App& command, ScheduleOptions& options, const std::string& otherwise) {
  AddSchedule(command, options.schedule,
              otherwise.empty() ? "" : absl::StrCat("without it, --best and --record, ", otherwise));
  command.add_flag("--best", options.best, "The fastest valid schedule of the log");
  AddText(command, "--record", options.record, "ID",
          "The schedule of a record, by its id or the beginning of its uuid");
  AddLog(command, options.log);
  AddProblem(command, options.problem);
}

absl::StatusOr<ChosenSchedule> ChooseSchedule(const ScheduleOptions& options, bool required, bool prefer_simt) {
  const int given = !options.schedule.empty() + options.best + !options.record.empty();
  if (given > 1 || (given == 0 && required)) {
    return InvalidArgument(absl::StrCat("give one of --schedule, --best and --record",
                                        required ? "" : ", or none for the default schedule"));
  }
  ChosenSchedule chosen;
  ASSIGN_OR_RETURN(chosen.problem, MakeProblem(options.problem));
  if (!options.schedule.empty()) {
    ASSIGN_OR_RETURN(chosen.schedule, ParseSchedule(options.schedule));
    return chosen;
  }
  if (given == 0) return chosen;
  ASSIGN_OR_RETURN(chosen.record, options.best ? BestRecord(chosen.problem, options.log, prefer_simt)
                                               : NamedRecord(chosen.problem, options.record, options.log));
  chosen.schedule = chosen.record->schedule;
  return chosen;
}

}  // namespace mmtune
