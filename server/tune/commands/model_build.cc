// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_build.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/types/toolchain_difference.h"
#include "server/tune/commands/commands.h"

namespace mmtune {
namespace {

std::string PlainLines(const std::string& text) {
  std::string plain;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    absl::StrAppend(&plain, PlainText(text.substr(begin, end - begin)), "\n");
    begin = end + 1;
  }
  return plain;
}

}  // namespace

std::vector<std::string> ModelBuild::Words(const std::string& spec_path, bool own_code) const {
  std::vector<std::string> words = {options_.model, "--arch", device_.arch, "--math", options_.math};
  if (device_.kind == DeviceKind::kSimt) words.insert(words.end(), {"--device", "simt"});
  if (options_.narrow_f64) words.emplace_back("--narrow-f64");
  if (options_.no_fusion) words.emplace_back("--no-fusion");
  if (options_.sums_as_written) words.emplace_back("--sums-as-written");
  if (!options_.VerifiedOnly() || !own_code) words.emplace_back("--allow-unverified");
  if (!spec_path.empty()) words.insert(words.end(), {"--spec", spec_path, "--spec-optional"});
  return words;
}

absl::Status ModelBuild::Compile(std::vector<std::string> words, std::string_view failure, std::ostream& errors) const {
  const std::string said_path = absl::StrCat(folder_, "/compiler.txt");
  ASSIGN_OR_RETURN(const ExitCode code, RunCompiler(std::move(words), folder_, said_path));
  if (code == ExitCode::kOk) return absl::OkStatus();
  if (code == ExitCode::kInterrupted) return ExitWith(code, "interrupted");
  if (const auto said = ReadTextFile(said_path); said.ok()) errors << PlainLines(*said);
  return ExitWith(code, absl::StrCat("the model ", options_.model, " ", ToAbsl(failure)));
}

absl::StatusOr<ModelMatmuls> ModelBuild::ReadMatmuls(const TuningSpec& spec, int runs, std::ostream& errors) const {
  const std::string spec_path = spec.entries.empty() ? "" : absl::StrCat(folder_, "/present.json");
  const std::string matmuls_path = absl::StrCat(folder_, "/matmuls.json");
  if (!spec_path.empty()) RETURN_IF_ERROR(WriteWholeFile(spec_path, TuningSpecToJson(spec)));
  std::vector<std::string> words = Words(spec_path, /*own_code=*/runs == 0);
  words.insert(words.end(), {"--emit", "matmuls", "-o", matmuls_path, "--force", "--quiet"});
  if (runs > 0) {
    words.insert(words.end(), {"--run", options_.run.function, "--repeat", absl::StrCat(runs)});
    for (const std::string& argument : options_.run.arguments) words.insert(words.end(), {"--arg", argument});
    if (device_.kind == DeviceKind::kCuda) {
      const bool named = absl::StartsWith(options_.job.device, "cuda");
      words.insert(words.end(), {"--device", named ? options_.job.device : "cuda"});
    }
  }
  RETURN_IF_ERROR(Compile(std::move(words), runs > 0 ? "does not run" : "does not compile", errors));
  ASSIGN_OR_RETURN(const std::string text, ReadTextFile(matmuls_path));
  return ModelMatmulsFromJson(text);
}

absl::StatusOr<ModelMatmuls> ModelBuild::FindMatmuls(const TuningSpec& present, std::ostream& errors) const {
  return ReadMatmuls(present, options_.run.function.empty() ? 0 : 1, errors);
}

absl::StatusOr<double> ModelBuild::TimeRuns(const TuningSpec& spec, std::ostream& errors) const {
  ASSIGN_OR_RETURN(const ModelMatmuls found, ReadMatmuls(spec, options_.run.repeat, errors));
  return found.run_ns;
}

absl::Status ModelBuild::CheckLibrary(std::ostream& errors) const {
  const std::string path = absl::StrCat(folder_, absl::EndsWith(options_.output, ".so") ? "/check.so" : "/check.o");
  std::vector<std::string> words = Words("");
  words.insert(words.end(), {"-o", path, "--force", "--quiet"});
  return Compile(std::move(words), absl::StrCat("cannot be built as ", options_.output), errors);
}

absl::StatusOr<ExitCode> ModelBuild::BuildLibrary(const TuningSpec& spec) const {
  const std::string spec_path = absl::StrCat(folder_, "/best.json");
  ASSIGN_OR_RETURN(const std::string best, ReadableJson(spec));
  RETURN_IF_ERROR(WriteWholeFile(spec_path, best));
  std::vector<std::string> words = Words(spec_path);
  words.insert(words.end(), {"-o", options_.output});
  if (options_.force) words.emplace_back("--force");
  if (options_.job.quiet || options_.job.format != OutputFormat::kTable) words.emplace_back("--quiet");
  return RunCompiler(std::move(words), folder_);
}

absl::Status CheckToolchain(const Toolchain& workers, const Toolchain& own, const std::string& output) {
  if (workers == own) return absl::OkStatus();
  return ExitWith(ExitCode::kUsage,
                  absl::StrCat("-o ", output, " would be built with another toolchain than the workers' (",
                               DifferenceText(workers, own),
                               "), so that no schedule would be verified: build where the "
                               "toolchain is theirs, from --spec, or give --allow-unverified"));
}

absl::StatusOr<std::string> ReadableJson(const TuningSpec& spec) {
  std::string json = TuningSpecToJson(spec);
  const absl::Status read = TuningSpecFromJson(json).status();
  if (!read.ok()) return ExitWith(ExitCode::kNoResult, WithContext(read, "the tuning spec of this run"));
  return json;
}

}  // namespace mmtune
