// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/records_subcommands.h"

#include "server/tune/commands/option_groups.h"
#include "server/tune/commands/records_command.h"
#include "server/tune/commands/records_transfer.h"
#include "server/tune/commands/spec_command.h"
#include "server/tune/report/format.h"

namespace mmtune {

void RecordsSubcommands::AddTo(CLI::App& app) {
  CLI::App& records = *app.add_subcommand("records", "Read the tuning log; export and import records");
  records.require_subcommand(1);
  CLI::App& list = AddOne(records, "list", "The newest records, whatever their outcome", RunRecordsList);
  AddFilters(list, true);
  AddFormat(list, true);
  AddCount(list, "--before", records_.before, 1, "Only records with a lower id: the next page of the list")
      ->type_name("ID");
  CLI::App& best =
      AddOne(records, "best", "The ranking of a problem's valid schedules, or the best one of each problem and device",
             RunRecordsBest);
  AddFilters(best, false);
  AddFormat(best, true);
  AddAllowUnproven(best, records_.allow_unproven);
  AddAnyToolchain(best);
  CLI::App& show = AddOne(records, "show", "Everything that one record holds", RunRecordsShow);
  AddOperand(show, "ID", records_.id, "The record's id, or the first 4 or more characters of its uuid");
  AddFormat(show, false);
  show.add_flag("--samples", records_.samples, "Every sample, beside their histogram; --json has them anyway");
  AddSpec(records);
  CLI::App& to = AddOne(records, "export", "Write records as JSON lines, for tune records import", RunRecordsExport);
  AddText(to, "FILE", records_.output, "", "Where to; - is standard output");
  AddFilters(to, true);
  AddForce(to);
  auto* landscape = to.add_flag("--landscape", records_.landscape,
                                "One record of each schedule of one problem and device, for tune replay: FILE.jsonl, "
                                "or a table, FILE.csv; warm operands unless --regime says otherwise");
  to.add_flag("--kernel-tuner", records_.kernel_tuner, "The same, as a cache file of Kernel Tuner")
      ->excludes(landscape);
  to.add_flag("--allow-unproven", records_.allow_unproven,
              "Of --landscape and --kernel-tuner: also what was timed without a proof, where other times have one");
  CLI::App& from =
      AddOne(records, "import", "Add exported records to the log: all of them or, on an error, none", RunRecordsImport);
  AddOperand(from, "FILE", records_.input, "Where from; - is standard input");
  CLI::App& check =
      AddOne(records, "check", "Look at every record of the log, and name those that are damaged", RunRecordsCheck);
  check.add_flag("--repair", records_.repair,
                 "Restore damaged records of which the log holds another copy, and remove the others; keeps a copy of "
                 "the log");
}

CLI::App& RecordsSubcommands::AddOne(CLI::App& records, const char* name, const char* help, Run run) {
  CLI::App& command =
      commands_.Add(records, name, help, [this, run](const Console& console) { return run(records_, console); });
  AddLog(command, records_.log);
  return command;
}

void RecordsSubcommands::AddSpec(CLI::App& records) {
  CLI::App& spec = AddOne(records, "spec",
                          "Write the best schedule of each problem and device as a tuning spec, for final compilation",
                          RunRecordsSpec);
  spec.footer(
      "A tuning spec is a JSON file, made to be kept beside the program that is compiled with it. For each problem "
      "and\nclass of devices, only what the toolchain of the newest record measured counts: its code can be made "
      "again.\n\nExample: tune records spec --device cuda -o model.mmtune.json\n");
  AddFilters(spec, false);
  AddText(spec, "--arch", records_.arch, "ARCH", "Only kernels generated for this architecture, such as sm_90");
  AddAllowUnproven(spec, records_.allow_unproven);
  AddAnyToolchain(spec);
  AddText(spec, "-o,--output", records_.output, "FILE", "Where to; - is standard output");
  AddForce(spec);
}

void RecordsSubcommands::AddAnyToolchain(CLI::App& command) {
  command.add_flag("--any-toolchain", records_.any_toolchain,
                   "Rank what any toolchain measured, not only that of the newest record: today's may make other code "
                   "of its schedules");
}

void RecordsSubcommands::AddForce(CLI::App& command) {
  command.add_flag("--force", records_.force, "Replace a file that exists");
}

void RecordsSubcommands::AddFilters(CLI::App& command, bool any_outcome) {
  AddRecordFilters(command, records_,
                   "Only this problem: without batch and epilogue, unless --batch and the other options say so");
  AddText(command, "--regime", records_.regime, "NAME", "Only what was timed with warm, or with cold operands");
  if (!any_outcome) return;
  AddText(command, "--outcome", records_.outcome, "NAME",
          "Only this outcome: ok, rejected, compile_failed, wrong_result, ...");
  command.add_flag("--all", records_.all, "Late reports of expired leases too");
}

void RecordsSubcommands::AddFormat(CLI::App& command, bool many) {
  auto* json = command.add_flag_callback(
      "--json", [this] { records_.format = OutputFormat::kJson; }, "One JSON object per record");
  if (!many) return;
  command.add_flag_callback(
             "--csv", [this] { records_.format = OutputFormat::kCsv; }, "Comma-separated values")
      ->excludes(json);
  AddCount(command, "--limit", records_.limit, 0,
           "Records at most; 0: all. Without it, tables show few, --json and --csv all");
}

}  // namespace mmtune
