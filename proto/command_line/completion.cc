// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/generated_text.h"

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/command_line/option_table.h"

namespace mmtune {
namespace {

constexpr char kHelpAll[] = "--help-all";

/// True if the character means itself wherever it stands in a word. Bytes of characters outside ASCII do.
bool IsSafe(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || absl::ascii_isalnum(byte) || std::string_view("_-./:,@%+").find(c) != std::string_view::npos;
}

/// Calls `visit` with the program and each of its commands.
void ForEachCommand(const CLI::App& app, const std::function<void(const CLI::App&)>& visit) {
  visit(app);
  for (const CLI::App* command : CommandsOf(app)) ForEachCommand(*command, visit);
}

/// Returns the function of a command: "_tune_records_list".
std::string FunctionOf(const CLI::App& command) {
  return "_" + absl::StrReplaceAll(CommandPath(command), {{" ", "_"}, {"-", "_"}});
}

/// Returns the first sentence or clause of a help text, which a list of completions has room for.
std::string Brief(const std::string& help) {
  constexpr size_t kMost = 70;
  std::string brief = help.substr(0, help.find_first_of(";\n"));
  if (brief.size() > kMost) brief = absl::StrCat(brief.substr(0, brief.rfind(' ', kMost)), " ...");
  return brief;
}

std::string WordsOf(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* inner : CommandsOf(command)) words.push_back(inner->get_name());
  for (const OptionRow& row : AllOptions(command)) words.insert(words.end(), row.names.begin(), row.names.end());
  words.push_back(kHelpAll);
  for (const OptionRow& row : Operands(command)) words.insert(words.end(), row.values.begin(), row.values.end());
  return absl::StrJoin(words, " ");
}

/// Returns how zsh completes a value, after the colon behind its name.
std::string ZshAction(const OptionRow& row) {
  if (!row.values.empty()) return absl::StrCat("(", absl::StrJoin(row.values, " "), ")");
  if (row.takes_folder) return "_files -/";
  return row.takes_file || !row.option->nonpositional() ? "_files" : " ";
}

/// Returns the text for use within an argument of _arguments.
std::string ZshText(const std::string& text) {
  return absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

void AddZshFunction(const CLI::App& command, std::string* script) {
  const std::vector<const CLI::App*> inner = CommandsOf(command);
  absl::StrAppend(script, "\n", FunctionOf(command), "() {\n");
  if (!inner.empty()) {
    absl::StrAppend(script,
                    "  local curcontext=$curcontext state state_descr line\n  typeset -A opt_args\n  local -a "
                    "commands\n  commands=(\n");
    for (const CLI::App* one : inner) {
      absl::StrAppend(script, "    ", ShellQuoted(absl::StrCat(one->get_name(), ":", Brief(one->get_description()))),
                      "\n");
    }
    absl::StrAppend(script, "  )\n");
  }
  absl::StrAppend(script, "  _arguments", inner.empty() ? " -s -S" : " -C", " \\\n");
  for (const OptionRow& row : AllOptions(command)) {
    for (const std::string& name : row.names) {
      const bool again = row.option->get_items_expected_max() > 1;
      const bool word = row.takes_value && !row.value_is_optional;
      std::string spec =
          absl::StrCat(again ? "*" : "", name, word && name.size() > 2 ? "=" : "", "[", ZshText(Brief(row.help)), "]");
      if (word) absl::StrAppend(&spec, ":", ZshText(row.placeholder), ":", ZshAction(row));
      absl::StrAppend(script, "    ", ShellQuoted(spec), " \\\n");
    }
  }
  absl::StrAppend(script, "    '", kHelpAll, "[Also the options that few need]'");
  if (inner.empty()) {
    for (const OptionRow& row : Operands(command)) {
      absl::StrAppend(script, " \\\n    ",
                      ShellQuoted(absl::StrCat("*:", ZshText(row.names.front()), ":", ZshAction(row))));
      break;  // of several operands, all are completed like the first
    }
    absl::StrAppend(script, "\n}\n");
    return;
  }
  absl::StrAppend(script, " \\\n    '1:command:->command' '*::argument:->argument'\n  case $state in\n",
                  "    command) _describe command commands ;;\n    argument)\n      case $line[1] in\n");
  for (const CLI::App* one : inner) {
    absl::StrAppend(script, "        ", one->get_name(), ") ", FunctionOf(*one), " ;;\n");
  }
  absl::StrAppend(script, "      esac ;;\n  esac\n}\n");
  for (const CLI::App* one : inner) AddZshFunction(*one, script);
}

/// Returns the text between single quotes, for fish.
std::string FishQuoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

/// Returns the condition that the words typed so far call `command`, and none of the commands in it.
std::string FishCondition(const CLI::App& command) {
  std::vector<std::string> parts;
  for (const CLI::App* app = &command; app->get_parent() != nullptr; app = app->get_parent()) {
    parts.insert(parts.begin(), absl::StrCat("__fish_seen_subcommand_from ", app->get_name()));
  }
  std::vector<std::string> inner;
  for (const CLI::App* one : CommandsOf(command)) inner.push_back(one->get_name());
  if (!inner.empty()) parts.push_back(absl::StrCat("not __fish_seen_subcommand_from ", absl::StrJoin(inner, " ")));
  return parts.empty() ? "" : absl::StrCat(" -n '", absl::StrJoin(parts, "; and "), "'");
}

}  // namespace

std::string ShellQuoted(std::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(ToAbsl(text), {{"'", "'\\''"}}), "'");
}

std::string ShellWord(std::string_view text) {
  const bool safe = !text.empty() && std::all_of(text.begin(), text.end(), IsSafe);
  return safe ? std::string(text) : ShellQuoted(text);
}

std::string BashCompletion(const CLI::App& program) {
  const std::string function = FunctionOf(program);
  std::vector<std::string> paths, words;
  std::map<std::string, std::string> values;  // how the value of an option is completed
  ForEachCommand(program, [&](const CLI::App& command) {
    const std::string path = CommandPath(command);
    if (command.get_parent() != nullptr) paths.push_back(ShellQuoted(path));
    words.push_back(absl::StrCat("    ", ShellQuoted(path), ") words=", ShellQuoted(WordsOf(command)), " ;;\n"));
    for (const OptionRow& row : AllOptions(command)) {
      if (!row.takes_value || row.value_is_optional) continue;
      std::string action = "return";
      if (!row.values.empty()) action = absl::StrCat("words=", ShellQuoted(absl::StrJoin(row.values, " ")));
      if (row.takes_file) action = "words= files=-f";
      if (row.takes_folder) action = "words= files=-d";
      for (const std::string& name : row.names) values[name] = action;
    }
  });
  std::string script = absl::StrCat("# bash completion of ", program.get_name(), "\n", function, "() {\n",
                                    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} files=-f\n",
                                    "  local path=", program.get_name(), " words i\n  COMPREPLY=()\n",
                                    "  # --name=value is three words\n", "  if [[ $cur == = ]]; then cur=; fi\n",
                                    "  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n");
  if (!paths.empty()) {
    absl::StrAppend(&script, "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$path ${COMP_WORDS[i]}\" in\n      ",
                    absl::StrJoin(paths, " | \\\n      "), ") path+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n");
  }
  absl::StrAppend(&script, "  case $path in\n", absl::StrJoin(words, ""), "  esac\n  case $prev in\n");
  for (const auto& [name, action] : values) absl::StrAppend(&script, "    ", name, ") ", action, " ;;\n");
  absl::StrAppend(&script, "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n",
                  "  if ((${#COMPREPLY[@]} == 0)); then\n",
                  "    compopt -o filenames\n    mapfile -t COMPREPLY < <(compgen $files -- \"$cur\")\n  fi\n}\n",
                  "complete -F ", function, " ", program.get_name(), "\n");
  return script;
}

std::string ZshCompletion(const CLI::App& program) {
  std::string script = absl::StrCat("#compdef ", program.get_name(), "\n");
  AddZshFunction(program, &script);
  const std::string function = FunctionOf(program);
  // Loaded from $fpath, the file is the function itself, and is called for the first completion.
  absl::StrAppend(&script, "\nif [ \"$funcstack[1]\" = ", ShellQuoted("_" + program.get_name()), " ]; then\n  ",
                  function, " \"$@\"\nelse\n  compdef ", function, " ", program.get_name(), "\nfi\n");
  return script;
}

std::string FishCompletion(const CLI::App& program) {
  const std::string complete = absl::StrCat("complete -c ", program.get_name());
  std::string script = absl::StrCat("# fish completion of ", program.get_name(), "\n");
  ForEachCommand(program, [&](const CLI::App& command) {
    const std::string begin = absl::StrCat(complete, FishCondition(command));
    for (const CLI::App* inner : CommandsOf(command)) {
      absl::StrAppend(&script, begin, " -f -a ", inner->get_name(), " -d ", FishQuoted(Brief(inner->get_description())),
                      "\n");
    }
    for (const OptionRow& row : AllOptions(command)) {
      std::string line = begin;
      for (const std::string& name : row.names) {
        absl::StrAppend(&line, name.size() == 2 ? " -s " : " -l ", name.substr(name.find_first_not_of('-')));
      }
      if (row.takes_value && !row.value_is_optional) {
        absl::StrAppend(&line, row.takes_file     ? " -r -F"
                               : row.takes_folder ? " -x -a '(__fish_complete_directories)'"
                                                  : " -x");
        if (!row.values.empty()) absl::StrAppend(&line, " -a ", FishQuoted(absl::StrJoin(row.values, " ")));
      }
      absl::StrAppend(&script, line, " -d ", FishQuoted(Brief(row.help)), "\n");
    }
    absl::StrAppend(&script, begin, " -l ", &kHelpAll[2], " -d 'Also the options that few need'\n");
    for (const OptionRow& row : Operands(command)) {
      if (!row.values.empty()) {
        absl::StrAppend(&script, begin, " -f -a ", FishQuoted(absl::StrJoin(row.values, " ")), "\n");
      }
    }
  });
  return script;
}

}  // namespace mmtune
