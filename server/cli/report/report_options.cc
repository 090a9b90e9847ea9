// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/report/report_options.h"

#include "server/cli/option_groups.h"

namespace mmtune {

void AddReportOptions(CLI::App& command, ReportOptions& options) {
  command.footer(
      "The page needs no network and no other file: it can be mailed, and opened from a disk. It has every record that "
      "passes\nthe filters. Exit codes: 0 written, 1 no record passes, nothing in common with --against, or output "
      "lost, "
      "2 usage or a\nplace that cannot be written, 3 no such log.\n\n"
      "Examples:\n"
      "  tune report --log tuning.db -o report.html\n"
      "  tune report --log new.db --against old.db --problem 4096x4096x4096 -o regressions.html\n");
  RecordsOptions& records = options.records;
  AddLog(command, records.log);
  AddText(command, "-o,--output", records.output, "FILE", "Where the page goes; - is standard output")->required();
  command.add_flag("--force", records.force, "Replace a file that exists");
  AddText(command, "--against", options.against, "FILE",
          "Compare with this log, schedule by schedule: what is slower, faster, or runs no longer");
  AddText(command, "--problem", records.problem.shape, "MxNxK", "Only this problem");
  AddVariant(command, records.problem);
  AddText(command, "--device", records.device, "TEXT",
          "Only devices whose name contains this, or of a kind: cuda, simt");
  AddText(command, "--since", records.since, "TIME",
          "Only records not older than this: 90s, 30m, 2h, 7d, 1w, or 2026-01-31 (UTC)");
}

}  // namespace mmtune
