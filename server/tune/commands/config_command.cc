// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune config`: the settings that hold, and where each comes from.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/program.h"
#include "proto/command_line/settings.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

struct ConfigOptions {
  CLI::App* program = nullptr;
  OutputFormat format = OutputFormat::kTable;
};

/// A setting that holds.
struct Row {
  std::string name, value, origin;
  std::string wrong;  ///< The reason why commands refuse it; empty if they take it.
};

/// Returns the value that holds without a setting. That of the log depends on the user.
std::string DefaultOf(const std::string& name, const CLI::Option& option) {
  return name == "log" ? DefaultLogPath().value_or("") : option.get_default_str();
}

std::vector<Row> RowsOf(const CLI::App& program, const Settings& settings) {
  std::vector<Row> rows;
  for (const auto& [name, option] : SettingOptions(program)) {
    if (const std::optional<Setting> setting = settings.Find(name)) {
      rows.push_back({name, setting->value, setting->origin, WrongSetting(*option, *setting)});
    } else {
      rows.push_back({name, DefaultOf(name, *option), "default", ""});
    }
  }
  return rows;
}

/// Returns OK, or the settings that commands refuse.
absl::Status CheckRows(const std::vector<Row>& rows) {
  std::vector<std::string> refused;
  for (const Row& row : rows) {
    if (!row.wrong.empty()) refused.push_back(absl::StrCat(row.origin, ": '", row.name, "'", row.wrong));
  }
  if (refused.empty()) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("commands refuse ", absl::StrJoin(refused, "; ")));
}

absl::StatusOr<ExitCode> RunConfigCommand(const ConfigOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const Settings settings, Settings::ReadUserSettings());
  const std::string file = ConfigPath().value_or("");
  const std::vector<Row> rows = RowsOf(*options.program, settings);
  if (options.format == OutputFormat::kJson) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
      values.push_back(
          {{"setting", row.name}, {"value", row.value}, {"from", row.origin}, {"variable", VariableOf(row.name)}});
    }
    const nlohmann::ordered_json all = {
        {"file", file}, {"exists", !settings.path().empty()}, {"settings", std::move(values)}};
    console.out << JsonText(all) << "\n";
    RETURN_IF_ERROR(CheckRows(rows));
    return ExitCode::kOk;
  }
  Table table(
      {{"setting", Align::kLeft}, {"value", Align::kLeft}, {"from", Align::kLeft, 1}, {"variable", Align::kLeft, 2}});
  for (const Row& row : rows) {
    table.AddRow(
        {row.name, row.value.empty() ? "-" : PlainText(row.value), PlainText(row.origin), VariableOf(row.name)});
  }
  const std::string head =
      absl::StrCat("file: ", PlainText(file), settings.path().empty() ? " (does not exist)\n\n" : "\n\n");
  console.out << AroundTables(head, console.tables) << table.Text(console.tables);
  RETURN_IF_ERROR(CheckRows(rows));
  return ExitCode::kOk;
}

}  // namespace

void AddConfigCommand(Commands& commands, CLI::App& app) {
  ConfigOptions& options = commands.Keep<ConfigOptions>();
  options.program = &app;
  CLI::App& command = commands.Add(app, "config", "Show every setting, its value, and where that comes from",
                                   RunConfigCommand, options);
  command.footer(
      "An option on the command line goes before a variable of the environment, that before the file, that before the "
      "default. The file is a JSON object of options without dashes; FILE values are absolute paths.\n\n"
      "Example of a file:\n"
      "  {\"log\": \"/home/alice/tuning.db\", \"device\": \"cuda:1\"}\n");
  commands.AddFormats(command, options.format);
}

}  // namespace mmtune
