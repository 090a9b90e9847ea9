// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/report_options.h"

#include "server/tune/commands/option_groups.h"
#include "server/tune/report/report_plots.h"

namespace mmtune {

void AddReportOptions(CLI::App& command, ReportOptions& options) {
  command.footer(
      "The page needs no network and no other file: it can be mailed, and opened from a disk. It has every record that "
      "passes\nthe filters; of more than 10,000, those of the fastest schedules and of a sample of the others. Exit "
      "codes: 0 written, 1 no record passes, nothing in common with --against, or output "
      "lost, "
      "2 usage or a\nplace that cannot be written, 3 no such log.\n\n"
      "Examples:\n"
      "  tune report --log tuning.db -o report.html\n"
      "  tune report --log new.db --against old.db --problem 4096x4096x4096 -o regressions.html\n"
      "  tune report --log tuning.db --problem 4096x4096x4096 --svg --plot landscape:bm,bn -o landscape.svg\n");
  RecordsOptions& records = options.records;
  AddLog(command, records.log);
  AddText(command, "-o,--output", records.output, "FILE", "Where the page, or the plot, goes; - is standard output")
      ->required();
  command.add_flag("--force", records.force, "Replace a file that exists");
  AddText(command, "--against", options.against, "FILE",
          "Compare with this log, schedule by schedule: what is slower, faster, or runs no longer");
  AddRecordFilters(command, records, "Only this problem");
  auto* svg = command.add_flag("--svg", options.svg, "One plot instead of the page, as a drawing (SVG)");
  command.add_flag("--csv", options.csv, "One plot instead of the page, as a table: a row for each point")
      ->excludes(svg);
  AddText(command, "--plot", options.plot, "NAME", absl::StrCat("Which one: ", kPlotNames));
  AddText(command, "--regime", records.regime, "NAME", "For a plot: what was timed with warm, or with cold operands");
}

}  // namespace mmtune
