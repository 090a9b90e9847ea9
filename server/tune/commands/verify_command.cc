// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/verify_command.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/verify_kernel_command.h"
#include "server/tune/report/field_list.h"
#include "server/tune/report/format.h"
#include "server/tune/report/text_layout.h"
#include "server/tune/session/local_worker.h"

namespace mmtune {
namespace {

nlohmann::json OrNull(std::optional<bool> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

/// True if races were detected at the size of the problem, too.
bool FullSizeRacesChecked(const VerifyRequest& request, const VerificationReport& verification) {
  return request.check_full_size_races && verification.performed;
}

std::string CoverText(const VerifyRequest& request, const VerificationReport& verification, const std::string& arch) {
  if (!verification.performed) return "none";
  // A sample of this size's own blocks is an entry "4 of 64 blocks of SHAPE", behind the shapes that were run.
  std::vector<std::string> whole;
  std::string sample;
  for (const std::string& shape : verification.shapes) {
    if (absl::StrContains(shape, " blocks of ")) {
      absl::StrAppend(&sample, "; in race detection ", shape);
    } else {
      whole.push_back(shape);
    }
  }
  return absl::StrCat("the PTX for ", arch, " at ", absl::StrJoin(whole, ", "), "; each in race detection and in ",
                      verification.fuzzing_runs, " fuzzing runs", sample,
                      FullSizeRacesChecked(request, verification) ? "; this size in race detection" : "");
}

std::string FullSizeText(const VerifyAnswer& answer) {
  const CheckReport& check = answer.measurement.check;
  const std::string where = absl::StrCat(" on ", DeviceText(answer.device));
  if (!check.performed) return "not run";
  if (!check.passed) return absl::StrCat("wrong", where, " (", check.tier, "): ", check.detail);
  return absl::StrCat(check.tier, " passed", where);
}

std::string ErrorText(const CheckReport& check) {
  if (!check.bound_fraction || !check.relative_error) return "not measured";
  return absl::StrFormat("%.3g of the bound, %.3g of the largest magnitude", *check.bound_fraction,
                         *check.relative_error);
}

/// Says no if the result at full size is wrong.
std::string CorrectText(const VerificationReport& verification, const CheckReport& check) {
  const bool wrong = check.performed && !check.passed;
  if (!verification.performed && !wrong) return YesNo(std::nullopt);
  return YesNo(verification.correct && !wrong);
}

/// Says no if two runs at full size differed, and "not compared" without schedule fuzzing.
std::string DeterministicText(const VerificationReport& verification, const CheckReport& check) {
  if (verification.performed && !check.deterministic.value_or(true)) return "no";
  if (verification.performed && verification.fuzzing_runs == 0) return "not compared";
  return YesNo(Deterministic(verification));
}

/// Returns the report with null for everything that was not established.
nlohmann::json VerificationJson(const VerificationReport& verification) {
  nlohmann::json json = ToJson(verification);
  if (!verification.performed) json["correct"] = nullptr;
  json["race_free"] = OrNull(IsRaceFree(verification));
  json["deterministic"] = OrNull(Deterministic(verification));
  return json;
}

constexpr int64_t kMaxFuzzingRuns = 100'000;

/// Fills in what is verified, and on which device. A record also selects the architecture of its schedule.
absl::Status Choose(const VerifyOptions& options, VerifyRequest* request, DeviceSelector* device) {
  if (options.fuzzing_runs < 0 || options.fuzzing_runs > kMaxFuzzingRuns) {
    return InvalidArgument(absl::StrCat("--stress must be 0 to ", kMaxFuzzingRuns));
  }
  ASSIGN_OR_RETURN(*device, MakeSelector(options.device, options.arch));
  ASSIGN_OR_RETURN(const ChosenSchedule chosen,
                   ChooseSchedule(options, /*required=*/true, /*prefer_simt=*/options.device == "simt"));
  request->problem = chosen.problem;
  request->schedule = *chosen.schedule;
  request->fuzzing_runs = options.fuzzing_runs;
  request->check_full_size_races = options.detect_races;
  if (options.detect_races) {
    absl::Status watchable = CheckRaceDetectionSize(request->problem);
    if (!watchable.ok()) return WithContext(watchable, "--detect-races");
  }
  if (chosen.record && device->arch.empty() && device->kind == DeviceSelector::Kind::kSimt) {
    device->arch = chosen.record->device.arch;
  }
  return absl::OkStatus();
}

}  // namespace

bool IsVerified(const VerifyAnswer& answer) {
  const VerificationReport& verification = answer.measurement.verification;
  return verification.performed && verification.passed && answer.measurement.check.passed &&
         answer.measurement.outcome == Outcome::kOk;
}

std::string VerdictText(const VerifyRequest& request, const VerifyAnswer& answer, const TableStyle& style) {
  const Measurement& measured = answer.measurement;
  const VerificationReport& verification = measured.verification;
  const CheckReport& check = measured.check;
  LabelledLines heading(0, style.width);
  heading.Add("", ProblemText(request.problem));
  heading.Add("", request.schedule.Text());
  FieldList lines("check", kVerdictIndent);
  if (style.csv) {
    lines.Add("problem", ProblemText(request.problem));
    lines.Add("schedule", request.schedule.Text());
  }
  lines.Add("verdict", IsVerified(answer) ? "verified" : "not verified");
  // CSV has the same columns for every verdict.
  if (measured.outcome != Outcome::kOk || style.csv) lines.Add("why", measured.message);
  if ((!verification.performed && !verification.reason.empty()) || style.csv) {
    lines.Add("unverified", verification.reason);
  }
  lines.Add("correct", CorrectText(verification, check));
  lines.Add("race-free", YesNo(IsRaceFree(verification)));
  lines.Add("deterministic", DeterministicText(verification, check));
  lines.Add("error", ErrorText(check));
  lines.Add("covered", CoverText(request, verification, answer.device.arch));
  lines.Add("at this size", FullSizeText(answer));
  lines.Add("digest", verification.digest.empty() ? "-" : verification.digest);
  return absl::StrCat(AsLines(heading.text(), style), AroundTables("\n", style), lines.Text(style),
                      DetailText(verification, style));
}

std::string VerdictJson(const VerifyRequest& request, const VerifyAnswer& answer) {
  const Measurement& measured = answer.measurement;
  return Dump({{"problem", ToJson(request.problem)},
               {"schedule", ToJson(request.schedule)},
               {"verified", IsVerified(answer)},
               {"full_size_races_checked", FullSizeRacesChecked(request, measured.verification)},
               {"outcome", OutcomeName(measured.outcome)},
               {"message", measured.message},
               {"verification", VerificationJson(measured.verification)},
               {"check", ToJson(measured.check)},
               {"device", ToJson(answer.device)},
               {"toolchain", ToJson(answer.toolchain)}});
}

absl::StatusOr<ExitCode> RunVerifyCommand(const VerifyOptions& options, const Console& console) {
  VerifyRequest request;
  DeviceSelector device;
  RETURN_IF_ERROR(Choose(options, &request, &device));
  std::vector<std::string> flags{"--verify-request", VerifyRequestToJson(request)};
  for (std::string& flag : WorkerDeviceFlags(device, options.wait)) flags.push_back(std::move(flag));
  ASSIGN_OR_RETURN(const std::optional<std::string> text, AskWorker(std::move(flags), console));
  if (!text) return ExitCode::kInterrupted;
  ASSIGN_OR_RETURN(VerifyAnswer answer, VerifyAnswerFromJson(*text));
  if (answer.measurement.outcome == Outcome::kRejected) return InvalidArgument(answer.measurement.message);
  const bool json = options.format == OutputFormat::kJson;
  console.out << (json ? PrintableJson(VerdictJson(request, answer)) + "\n"
                       : VerdictText(request, answer, console.tables))
              << std::flush;
  return IsVerified(answer) ? ExitCode::kOk : ExitCode::kNoResult;
}

void AddVerifyCommand(Commands& commands, CLI::App& app) {
  VerifyOptions& options = commands.Keep<VerifyOptions>();
  CLI::App& verify =
      commands.AddParent(app, "verify", "Verify one schedule, or any kernel in PTX: correct and free of races?");
  CLI::App& command =
      commands.Add(verify, "matmul", "Verify a schedule of a matrix multiplication", RunVerifyCommand, options);
  command.footer(
      "The schedule's PTX for the device's architecture runs at small shapes on the SIMT device with race detection "
      "and schedule fuzzing, then the schedule runs at this size on the device. The exit code is 0 if it is verified, "
      "and "
      "1 if not.\n\n"
      "Examples:\n"
      "  tune verify matmul 1024x1024x1024 --best --log tuning.db\n"
      "  tune verify matmul 64x64x64 --device simt --schedule 'fma bm=32 bn=32 ...'\n");
  AddDevice(command, options.device);
  commands.AddFormats(command, options.format, kOneThing);
  AddScheduleOptions(command, options, "");
  InGroup(command, kMeasuringGroup);
  AddArch(command, options.arch, "the device's own");
  AddCount(command, "--stress", options.fuzzing_runs, 0, "Runs of each small shape with schedule fuzzing")
      ->capture_default_str();
  command.add_flag("--detect-races", options.detect_races,
                   absl::StrCat("Detect races at this size, too: slow, and for up to ", kMaxRaceDetectionMultiplyAdds,
                                " multiply-adds M*N*K"));
  AddWait(command, options.wait);
  AddVerifyKernelCommand(commands, verify);
}

}  // namespace mmtune
