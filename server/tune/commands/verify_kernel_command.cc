// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/verify_kernel_command.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/types/field_json.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/field_list.h"
#include "server/tune/report/text_layout.h"
#include "server/tune/session/local_worker.h"

namespace mmtune {
namespace {

constexpr char kNotCovered[] =
    "ptxas and machine code, memory order beyond happens-before, the rounding of tensor cores and of approximate "
    "instructions, time";

std::string ComparedText(const KernelVerifyAnswer& answer) {
  const VerificationReport& verification = answer.verification;
  if (!answer.check.performed) return verification.correct ? "not compared (--gemm)" : "not compared";
  if (!verification.correct) return "no";
  return verification.reason.empty() ? "yes" : "unknown";
}

/// Returns nullopt where a run was ended before it was through.
std::optional<bool> KnownRaceFree(const VerificationReport& verification) {
  if (!verification.race_free || verification.reason.empty()) return IsRaceFree(verification);
  return std::nullopt;
}

std::string OrderText(const VerificationReport& verification) {
  if (verification.fuzzing_runs == 0) return "not compared";
  if (!verification.reason.empty() || !verification.correct) return "unknown";
  return YesNo(verification.deterministic);
}

std::string RoundingErrorText(const CheckReport& check) {
  if (!check.bound_fraction || !check.relative_error) return "not measured";
  return absl::StrFormat("%.3g of the bound, %.3g of the largest magnitude", *check.bound_fraction,
                         *check.relative_error);
}

/// Returns "k.ptx: matmul (sm_80)", or less if the limit was reached before more was known.
std::string HeadingText(const KernelVerifyAnswer& answer) {
  std::string text = answer.name;
  if (!answer.kernel.empty()) absl::StrAppend(&text, ": ", answer.kernel);
  if (!answer.target.empty()) absl::StrAppend(&text, " (", answer.target, ")");
  return text;
}

bool IsKernelVerified(const KernelVerifyAnswer& answer) {
  return answer.verification.performed && answer.verification.passed && answer.verification.reason.empty();
}

}  // namespace

absl::StatusOr<KernelVerifyRequest> MakeKernelRequest(const VerifyKernelOptions& options) {
  KernelVerifyRequest request;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(options.file, error);
  request.path = error ? options.file : path.string();
  request.arch = options.arch;
  request.fuzzing_runs = options.fuzzing_runs;
  request.limit_seconds = options.limit;
  if (options.launches.empty()) {
    request.work.launches = {options.launch};
    request.work.gemm = options.gemm;
    request.work.shapes = options.shapes;
    return request;
  }
  absl::StatusOr<std::string> text = ReadTextFile(options.launches);
  if (!text.ok()) return InvalidArgument(ToStd(text.status().message()));
  absl::StatusOr<KernelLaunches> launches = KernelLaunchesFromJson(*text);
  if (!launches.ok()) return WithContext(launches.status(), options.launches);
  request.work = *std::move(launches);
  return request;
}

std::string DetailText(const VerificationReport& verification, const TableStyle& style) {
  if (verification.detail.empty()) return "";
  std::string text;
  for (absl::string_view line : absl::StrSplit(verification.detail, '\n')) {
    absl::StrAppend(&text, PlainText(ToStd(line)), "\n");
  }
  return absl::StrCat(AroundTables("\n", style), AsLines(text, style));
}

std::string KernelVerdictText(const KernelVerifyAnswer& answer, const TableStyle& style) {
  const VerificationReport& verification = answer.verification;
  // Nothing but the limit: the other lines would say "unknown". CSV has the same columns for every verdict.
  if (!style.csv && !verification.reason.empty() && verification.finding == verification.reason)
    return absl::StrCat(HeadingText(answer), ": not verified: ", PlainText(verification.reason), "\n");
  LabelledLines heading(0, style.width);
  heading.Add("", HeadingText(answer));
  FieldList lines("check", kVerdictIndent);
  if (style.csv) {
    lines.Add("file", answer.name);
    lines.Add("kernel", answer.kernel);
    lines.Add("target", answer.target);
  }
  lines.Add("verdict", IsKernelVerified(answer) ? "verified" : "not verified");
  // CSV has the same columns for every verdict.
  if (!verification.finding.empty() || style.csv) lines.Add("why", verification.finding);
  lines.Add("correct", ComparedText(answer));
  lines.Add("race-free", YesNo(KnownRaceFree(verification)));
  lines.Add("deterministic", OrderText(verification));
  lines.Add("error", RoundingErrorText(answer.check));
  lines.Add("covered",
            verification.shapes.empty()
                ? "none"
                : absl::StrCat(absl::StrJoin(verification.shapes, ", "), "; each in race detection and in ",
                               verification.fuzzing_runs, " fuzzing runs, with the limits of ", answer.arch));
  lines.Add("not covered", kNotCovered);
  lines.Add("digest", verification.digest);
  return absl::StrCat(AsLines(heading.text(), style), AroundTables("\n", style), lines.Text(style),
                      DetailText(verification, style));
}

std::string KernelVerdictJson(const KernelVerifyRequest& request, const KernelVerifyAnswer& answer) {
  const auto json = [](std::optional<bool> value) { return value ? nlohmann::json(*value) : nlohmann::json(); };
  nlohmann::json verification = ToJson(answer.verification);
  const bool known = answer.verification.reason.empty();
  if (!answer.check.performed || (answer.verification.correct && !known)) verification["correct"] = nullptr;
  verification["race_free"] = json(KnownRaceFree(answer.verification));
  if (!known || !answer.verification.correct || answer.verification.fuzzing_runs == 0)
    verification["deterministic"] = nullptr;
  return Dump({{"file", request.path},
               {"kernel", answer.kernel},
               {"target", answer.target},
               {"arch", answer.arch},
               {"verified", IsKernelVerified(answer)},
               {"not_covered", kNotCovered},
               {"work", ToJson(request.work)},
               {"verification", std::move(verification)},
               {"check", ToJson(answer.check)}});
}

absl::StatusOr<ExitCode> RunVerifyKernelCommand(const VerifyKernelOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const KernelVerifyRequest request, MakeKernelRequest(options));
  ASSIGN_OR_RETURN(const std::optional<std::string> text,
                   AskWorker({"--kernel-request", KernelVerifyRequestToJson(request)}, console));
  if (!text) return ExitCode::kInterrupted;
  ASSIGN_OR_RETURN(const KernelVerifyAnswer answer, KernelVerifyAnswerFromJson(*text));
  const bool json = options.format == OutputFormat::kJson;
  console.out << (json ? PrintableJson(KernelVerdictJson(request, answer)) + "\n"
                       : KernelVerdictText(answer, console.tables))
              << std::flush;
  return IsKernelVerified(answer) ? ExitCode::kOk : ExitCode::kNoResult;
}

std::vector<std::string> WithKernelCommand(std::vector<std::string> words) {
  const bool names_file = words.size() >= 2 && words[0] == "verify" && !words[1].starts_with('-') &&
                          words[1].find_first_of("./") != std::string::npos;
  if (names_file) words.insert(words.begin() + 1, "kernel");
  return words;
}

void AddVerifyKernelCommand(Commands& commands, CLI::App& verify) {
  VerifyKernelOptions& options = commands.Keep<VerifyKernelOptions>();
  CLI::App& command = commands.Add(verify, "kernel", "Verify any kernel in PTX; `kernel` may be left out",
                                   RunVerifyKernelCommand, options);
  command.footer(
      "The kernel runs on the SIMT device with race detection and schedule fuzzing; no GPU is needed. Sizes and "
      "arguments may use M, N and K of --shapes, + - * / %, cdiv(a,b), min and max. An argument is\n"
      "  [NAME=]buffer:TYPE[DIM,DIM]=FILL   a buffer: random, zeros, iota, value:X\n"
      "  NAME                               the same buffer again\n"
      "  map:NAME[DIM,DIM]:swizzle=128      a tensor map of a buffer, with this box\n"
      "  [NAME=]buffer:...:map[DIM,DIM]     one of a buffer that is no argument\n"
      "  TYPE=VALUE                         a number\n"
      "  struct:BYTES{OFFSET:ARGUMENT;...}  a struct by value; =HEX for its other bytes\n"
      "The exit code is 0 if it is verified, and 1 if not.\n\n"
      "Examples:\n"
      "  tune verify add.ptx --grid 4 --block 256 --arg buffer:f32[1024]=random \\\n"
      "    --arg buffer:f32[1024] --arg i32=1024\n"
      "  tune verify matmul.ptx --grid 'cdiv(M,64),cdiv(N,64)' --block 128 \\\n"
      "    --gemm A,B,C --arg A=buffer:f16[M,K] --arg B=buffer:f16[K,N] \\\n"
      "    --arg C=buffer:f32[M,N] --arg i32=M --arg i32=N --arg i32=K");
  AddOperand(command, "FILE", options.file, "PTX, or the folder of a kernel in Triton's cache");
  AddText(command, "--kernel", options.launch.kernel, "NAME", "The kernel; by default the only one of the file");
  AddText(command, "--grid", options.launch.grid, "X,Y,Z", "Blocks");
  AddText(command, "--block", options.launch.block, "X,Y,Z", "Threads of a block; by default those of .reqntid");
  AddText(command, "--shared", options.launch.shared, "BYTES", "Dynamic shared memory of a block");
  command.add_option("--arg", options.launch.arguments, "The next argument, see below; once for each parameter")
      ->type_name("VALUE")
      ->allow_extra_args(false);
  AddText(command, "--gemm", options.gemm, "A,B,C",
          "Names or positions of the buffers of C = A*B, each with :t if it is column-major: results are checked");
  command.add_option("--shapes", options.shapes, "The values of M, N and K; again or with commas for several")
      ->type_name("MxNxK")
      ->delimiter(',')
      ->allow_extra_args(false);
  commands.AddFormats(command, options.format, kOneThing);
  InGroup(command, kMeasuringGroup);
  AddText(command, "--arch", options.arch, "ARCH",
          "The architecture whose limits hold; default: the target of the PTX");
  AddCount(command, "--stress", options.fuzzing_runs, 0, "Runs of each shape with schedule fuzzing")
      ->capture_default_str();
  AddCount(command, "--limit", options.limit, 1, "Seconds for the compilation and for each run")->capture_default_str();
  CLI::Option* launches =
      AddText(command, "--launches", options.launches, "FILE", "JSON with several launches, --gemm and --shapes");
  AddText(command, "--cluster", options.launch.cluster, "X,Y,Z", "Blocks of a cluster")->excludes(launches);
  for (const char* replaced : {"--kernel", "--grid", "--block", "--shared", "--arg", "--gemm", "--shapes"})
    launches->excludes(command.get_option(replaced));
}

}  // namespace mmtune
