// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/help.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/exit_code.h"
#include "proto/base/status.h"
#include "proto/command_line/option_table.h"

namespace mmtune {
namespace {

// Names are in a column of this width at most; a longer one has its description on the next line.
constexpr size_t kNamesWidth = 26;
constexpr size_t kLeastWidth = 40;

/// A name and what it means.
using Entry = std::pair<std::string, std::string>;

std::string Names(const OptionRow& row) {
  std::string names = absl::StrJoin(row.names, ", ");
  if (row.takes_value && row.option->nonpositional()) absl::StrAppend(&names, " ", row.placeholder);
  return names;
}

void AddEntries(const std::string& heading, const std::vector<Entry>& entries, size_t width, std::string* text) {
  if (entries.empty()) return;
  absl::StrAppend(text, "\n", heading, ":\n");
  size_t column = 0;
  for (const auto& [name, meaning] : entries) {
    if (name.size() <= kNamesWidth) column = std::max(column, name.size());
  }
  const std::string indent(column + 4, ' ');
  for (const auto& [name, meaning] : entries) {
    const std::vector<std::string> lines = Wrap(meaning, width - std::min(width - 1, indent.size()));
    std::string line = absl::StrCat("  ", name);
    if (name.size() > column) {
      absl::StrAppend(text, line, "\n");
      line.clear();
    }
    for (const std::string& part : lines) {
      line.resize(std::max(line.size(), indent.size()), ' ');
      absl::StrAppend(text, line, part, "\n");
      line.clear();
    }
    if (lines.empty()) absl::StrAppend(text, line, "\n");
  }
}

std::vector<Entry> EntriesOf(const std::vector<OptionRow>& rows) {
  std::vector<Entry> entries;
  for (const OptionRow& row : rows) entries.emplace_back(Names(row), row.help);
  return entries;
}

void AddCommands(const CLI::App& app, size_t width, std::string* text) {
  std::vector<std::string> groups;
  std::map<std::string, std::vector<Entry>> entries;
  for (const CLI::App* command : CommandsOf(app)) {
    if (!entries.contains(command->get_group())) groups.push_back(command->get_group());
    entries[command->get_group()].emplace_back(command->get_name(), command->get_description());
  }
  for (const std::string& group : groups) AddEntries(group, entries[group], width, text);
}

std::string UsageLine(const CLI::App& command) {
  std::string usage = absl::StrCat("Usage: ", CommandPath(command));
  const bool commands = !CommandsOf(command).empty();
  if (!commands) absl::StrAppend(&usage, " [OPTIONS]");
  for (const OptionRow& row : Operands(command)) {
    absl::StrAppend(&usage, " ", OperandText(row));
  }
  return absl::StrCat(usage, commands ? " COMMAND ...\n" : "\n");
}

}  // namespace

std::vector<std::string> Wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const absl::string_view paragraph : absl::StrSplit(ToAbsl(text), '\n')) {
    if (paragraph.empty() || absl::StartsWith(paragraph, "  ")) {
      lines.emplace_back(paragraph);
      continue;
    }
    std::string line;
    for (const absl::string_view word : absl::StrSplit(paragraph, ' ', absl::SkipEmpty())) {
      if (!line.empty() && line.size() + 1 + word.size() > width) lines.push_back(std::exchange(line, ""));
      absl::StrAppend(&line, line.empty() ? "" : " ", word);
    }
    lines.push_back(std::move(line));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string HelpText(const CLI::App& command, bool all, size_t width) {
  width = std::clamp(width, kLeastWidth, kWidestHelp);
  std::string text = absl::StrCat(absl::StrJoin(Wrap(command.get_description(), width), "\n"), "\n\n");
  absl::StrAppend(&text, UsageLine(command));
  AddCommands(command, width, &text);
  AddEntries("Operands", EntriesOf(Operands(command)), width, &text);
  for (const OptionGroup& group : OptionGroups(command)) {
    if (group.name != kRareGroup || all) {
      AddEntries(group.name, EntriesOf(group.rows), width, &text);
    } else {
      absl::StrAppend(&text, "\n--help-all shows ", group.rows.size(), " more option",
                      group.rows.size() == 1 ? "" : "s", ", which few need.\n");
    }
  }
  if (!command.get_footer().empty()) {
    absl::StrAppend(&text, "\n", absl::StrJoin(Wrap(command.get_footer(), width), "\n"), "\n");
  }
  if (command.get_parent() != nullptr) return text;
  if (all) {
    AddEntries("For a shell",
               {{"--generate KIND",
                 "Print the manual page (man) or a script that completes words (bash, zsh, fish), and nothing else"}},
               width, &text);
  }
  std::vector<Entry> codes;
  for (const ExitCodeEntry& entry : kExitCodes) {
    codes.emplace_back(absl::StrCat(Number(entry.code)), std::string(entry.meaning));
  }
  AddEntries("Exit codes", codes, width, &text);
  return text;
}

size_t TerminalColumns(int descriptor) {
  winsize size = {};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t OutputColumns() {
  uint32_t columns = 0;
  const char* said = getenv("COLUMNS");
  const bool is_said = said != nullptr && absl::SimpleAtoi(said, &columns) && columns > 0;
  return is_said ? columns : TerminalColumns(STDOUT_FILENO);
}

}  // namespace mmtune
