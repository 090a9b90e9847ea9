// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/generated_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/base/exit_code.h"
#include "proto/base/status.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/settings.h"

namespace mmtune {
namespace {

/// Returns the text for roff: backslashes and dashes escaped, and nothing at the beginning that is a request.
std::string Escaped(absl::string_view text) {
  std::string escaped = absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}});
  if (absl::StartsWith(escaped, ".") || absl::StartsWith(escaped, "'")) escaped.insert(0, "\\&");
  return escaped;
}

/// Begins a paragraph; the first one behind a heading needs no request.
void BeginParagraph(std::string* page) {
  const size_t last = page->rfind('\n', page->size() - 2) + 1;
  if (page->compare(last, 2, ".S") != 0) absl::StrAppend(page, ".PP\n");
}

/// Appends paragraphs; lines that begin with two spaces are kept as they are.
void AddText(const std::string& text, std::string* page) {
  bool kept = false;
  const auto keep = [&kept, page](bool wanted) {
    if (wanted == kept) return;
    if (wanted) BeginParagraph(page);
    absl::StrAppend(page, wanted ? ".nf\n" : ".fi\n");
    kept = wanted;
  };
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    const bool example = absl::StartsWith(line, "  ");
    keep(example);
    if (!example) BeginParagraph(page);
    absl::StrAppend(page, Escaped(absl::StripAsciiWhitespace(line)), "\n");
  }
  keep(false);
}

void AddRow(const OptionRow& row, std::string* page) {
  std::vector<std::string> names;
  for (const std::string& name : row.names) names.push_back(absl::StrCat("\\fB", Escaped(name), "\\fR"));
  absl::StrAppend(page, ".TP\n", absl::StrJoin(names, ", "));
  if (row.takes_value && row.option->nonpositional()) {
    absl::StrAppend(page, " \\fI", Escaped(row.placeholder), "\\fR");
  }
  absl::StrAppend(page, "\n", Escaped(absl::StrReplaceAll(row.help, {{"\n", " "}})));
  if (row.option->get_configurable())
    absl::StrAppend(page, "\n(environment: ", Escaped(VariableOf(row.LongName())), ")");
  absl::StrAppend(page, "\n");
}

void AddRows(const CLI::App& command, std::string* page) {
  for (const OptionRow& row : Operands(command)) AddRow(row, page);
  for (const OptionGroup& group : OptionGroups(command)) {
    if (group.name != kFirstGroup) absl::StrAppend(page, ".PP\n", group.name, ":\n");
    for (const OptionRow& row : group.rows) AddRow(row, page);
  }
}

std::string Synopsis(const CLI::App& command) {
  std::string text = absl::StrCat("\\fB", Escaped(CommandPath(command)), "\\fR");
  if (!CommandsOf(command).empty()) return absl::StrCat(text, " \\fICOMMAND\\fR ...\n");
  absl::StrAppend(&text, " [\\fIOPTIONS\\fR]");
  for (const OptionRow& row : Operands(command)) absl::StrAppend(&text, " \\fI", Escaped(OperandText(row)), "\\fR");
  return text + "\n";
}

/// Appends the commands that do something, not those that only have commands.
void AddCommands(const CLI::App& app, std::string* page) {
  for (const CLI::App* command : CommandsOf(app)) {
    absl::StrAppend(page, ".SS ", Escaped(CommandPath(*command)), "\n");
    AddText(command->get_description(), page);
    if (CommandsOf(*command).empty()) {
      BeginParagraph(page);
      absl::StrAppend(page, Synopsis(*command));
      AddRows(*command, page);
    }
    AddText(command->get_footer(), page);
    AddCommands(*command, page);
  }
}

}  // namespace

std::string ManPage(const CLI::App& program, std::string_view version, std::string_view date) {
  const std::string name = program.get_name();
  const std::vector<std::string> about = absl::StrSplit(program.get_description(), absl::MaxSplits('\n', 1));
  std::string page = absl::StrCat(
      ".TH ", absl::AsciiStrToUpper(name), " 1 ", ToAbsl(date), " \"", ToAbsl(version), "\" mmtune\n.SH NAME\n",
      Escaped(name), " \\- ", Escaped(absl::StripSuffix(about.front(), ".")), "\n.SH SYNOPSIS\n", Synopsis(program));
  absl::StrAppend(&page, ".SH DESCRIPTION\n");
  AddText(program.get_description(), &page);
  AddText(program.get_footer(), &page);
  if (CommandsOf(program).empty()) {
    absl::StrAppend(&page, ".SH OPTIONS\n");
    AddRows(program, &page);
  } else {
    absl::StrAppend(&page, ".SH COMMANDS\n");
    AddCommands(program, &page);
  }
  absl::StrAppend(&page, ".SH EXIT STATUS\n");
  for (const ExitCodeEntry& entry : kExitCodes) {
    absl::StrAppend(&page, ".TP\n", Number(entry.code), "\n", Escaped(ToAbsl(entry.meaning)), "\n");
  }
  absl::StrAppend(&page, ".SH FILES\n.TP\n", Escaped("$XDG_CONFIG_HOME/mmtune/config.json"),
                  "\nValues of options that name an environment variable, by their names. An option goes before a "
                  "variable, and a variable before the file.\n");
  return page;
}

}  // namespace mmtune
