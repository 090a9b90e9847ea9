// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of command lines.
#include <algorithm>
#include <vector>

#include "absl/strings/str_split.h"
#include "kernels/tools/compile_flags.h"
#include "proto/base/status.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"
#include "proto/types/scheduling_policy.h"
#include "tests/fuzz/fuzz_targets.h"

namespace mmtune {

void FuzzSchedule(std::string_view input) {
  const absl::StatusOr<Schedule> schedule = ParseSchedule(input);
  if (schedule.ok()) {
    for (const std::string& text : {schedule->Text(), schedule->CanonicalJson()}) {
      const absl::StatusOr<Schedule> again = ParseSchedule(text);
      Promise(again.ok() && *again == *schedule, "a schedule is read back as it was written");
    }
  }
  const absl::StatusOr<MatmulProblem> problem = ParseMatmulShape(input, DataType::kF32);
  if (problem.ok()) {
    Promise(problem->Validate().ok() && problem->Flops() > 0, "a shape is valid");
    problem->CanonicalJson();
  }
  const absl::StatusOr<Epilogue> epilogue = ParseEpilogue(input);
  if (epilogue.ok()) {
    const absl::StatusOr<Epilogue> again = ParseEpilogue(EpilogueText(*epilogue));
    Promise(again.ok() && EpilogueText(*again) == EpilogueText(*epilogue), "an epilogue is read back");
  }
  ParseDeviceClass(input).status().IgnoreError();
  ParseDeviceSelector(input).status().IgnoreError();
}

void FuzzCompileOptions(std::string_view input) {
  std::vector<std::string> arguments;
  for (const absl::string_view line : absl::StrSplit(ToAbsl(input), '\n')) arguments.emplace_back(std::string(line));
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  CompileOptions options;
  CLI::App app;
  AddCompileOptions(app, options);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError&) {
    return;
  }
  Promise(options.run.repeat > 0 && options.verify.fuzzing_runs >= 0, "numbers are in their ranges");
}

}  // namespace mmtune
