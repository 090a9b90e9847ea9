// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options as commands declare them, and those that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cfloat>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/program_options.h"
#include "proto/types/device_info.h"
#include "server/tune/commands/job_options.h"
#include "server/tune/commands/problem_options.h"
#include "server/tune/commands/records_source.h"

namespace mmtune {

/// An option that takes a text. The help shows its default unless that is empty.
CLI::Option* AddText(CLI::App& command, const char* name, std::string& value, const char* kind,
                     const std::string& help);

/// A word of the command that has to be there, such as a file.
void AddOperand(CLI::App& command, const char* name, std::string& value, const char* help);

/// An option that takes a whole number from `least` up.
template <typename T>
CLI::Option* AddCount(CLI::App& command, const char* name, T& value, int64_t least, const char* help) {
  return command.add_option(name, value, help)->check(IntegerFrom<int64_t>(least))->type_name("N");
}

/// An option that takes a number of seconds.
template <typename T>
void AddSeconds(CLI::App& command, const char* name, T& value, const char* help, double most = DBL_MAX) {
  command.add_option(name, value, help)->check(NumberFrom(0, most))->type_name("S");
}

/// What makes one problem of a shape another: types, batch, layouts, epilogue.
void AddVariant(CLI::App& command, ProblemOptions& options);
/// The shape and its variant.
void AddProblem(CLI::App& command, ProblemOptions& options);

/// Where a schedule runs: for commands that measure or verify.
template <typename Options>
void AddDevice(CLI::App& command, Options& options) {
  AddText(command, "--device", options.device, "NAME",
          "auto (a CUDA device, else simt), cuda, cuda:<i>, or simt (the kernel's threads on the CPU)");
  AddText(command, "--arch", options.arch, "ARCH",
          absl::StrCat("Generate for one of ", KnownArchitectures(), "; default the device's own"));
  AddSeconds(command, "--wait", options.wait,
             "End with 5 when another process has held the device for this long; default: wait without limit", 1e7);
}

/// `otherwise` says, in half a sentence, which schedule it is without the option; may be empty.
void AddSchedule(CLI::App& command, std::string& schedule, const std::string& otherwise);
/// --schedule, --best and --record: for commands that take one schedule.
template <typename Options>
void AddChosenSchedule(CLI::App& command, Options& options, const std::string& otherwise) {
  AddSchedule(command, options.schedule, otherwise);
  command.add_flag("--best", options.best, "The fastest valid schedule of the log");
  AddText(command, "--record", options.record, "ID",
          "The schedule of a record, by its id or the beginning of its uuid");
}

/// For commands that print one answer.
void AddJson(CLI::App& command, bool& json);

/// Which devices' records count; `otherwise` as for AddSchedule.
void AddDeviceFilter(CLI::App& command, std::string& device, const std::string& otherwise = "");
/// A problem (`help` says of what), devices and a time: which records count.
void AddRecordFilters(CLI::App& command, RecordsOptions& options, const std::string& help);

/// 0 to `most`.
void AddPercent(CLI::App& command, const char* name, double& value, double most, const std::string& help);
void AddLog(CLI::App& command, std::string& log);
void AddAllowUnproven(CLI::App& command, bool& allow);

/// Of the commands that tune: the problem, where it runs, how it is searched and measured.
void AddJobOptions(CLI::App& command, JobOptions& options);

}  // namespace mmtune
