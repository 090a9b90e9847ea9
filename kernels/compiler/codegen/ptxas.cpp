// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/codegen/ptxas.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/folders.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr std::chrono::minutes kTimeout{10};
constexpr char kVariable[] = "MMTUNE_PTXAS";

/// Returns $MMTUNE_PTXAS; empty when it is not set.
std::string givenPtxas() {
  const char* given = std::getenv(kVariable);
  return given == nullptr ? "" : given;
}

constexpr char kFolderPrefix[] = "mmtune-ptxas-";

/// Runs ptxas and returns its output; sets `*exit` to its exit status.
absl::StatusOr<std::string> runPtxas(std::vector<std::string> arguments, const OwnedFolder& folder, ExitStatus* exit) {
  SubprocessOptions options;
  options.argv = std::move(arguments);
  options.argv.insert(options.argv.begin(), findPtxas());
  options.output_path = folder.path() + "/output";
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  std::optional<ExitStatus> ended = process.Wait(kTimeout);
  if (!ended) return Internal("ptxas did not finish within 10 minutes");
  *exit = *ended;
  return ReadWholeFile(options.output_path);
}

std::string askVersion() {
  if (findPtxas().empty()) return "";
  absl::StatusOr<OwnedFolder> folder = OwnedFolder::Temporary(kFolderPrefix);
  if (!folder.ok()) return "";
  ExitStatus exit;
  absl::StatusOr<std::string> output = runPtxas({"--version"}, *folder, &exit);
  std::smatch match;
  if (output.ok() && std::regex_search(*output, match, std::regex("release ([0-9.]+)"))) return match[1];
  return "";
}

std::string firstComplaint(const std::string& output) {
  for (absl::string_view line : absl::StrSplit(output, '\n'))
    if (line.find("error") != line.npos || line.find("fatal") != line.npos) return std::string(line);
  return output.substr(0, output.find('\n'));
}

}  // namespace

const std::string& findPtxas() {
  static const std::string path = FindCudaTool("ptxas", kVariable);
  return path;
}

absl::Status checkPtxas() {
  std::string given = givenPtxas();
  if (given.empty() || given == "none" || IsProgram(given)) return absl::OkStatus();
  return InvalidArgument(
      absl::StrCat("MMTUNE_PTXAS=", given,
                   " is not an executable program: name ptxas, or set it to none to let the driver assemble PTX"));
}

const std::string& ptxasVersion() {
  static const std::string version = askVersion();
  return version;
}

std::map<std::string, KernelUsage> parsePtxasOutput(std::string_view output) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  static const std::regex spills("([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
  static const std::regex registers("Used ([0-9]+) registers");
  static const std::regex shared("([0-9]+) bytes smem");
  std::map<std::string, KernelUsage> kernels;
  KernelUsage* current = nullptr;
  for (absl::string_view piece : absl::StrSplit(ToAbsl(output), '\n')) {
    std::string line(piece);
    std::smatch match;
    if (std::regex_search(line, match, entry)) current = &kernels[match[1]];
    if (!current) continue;
    if (std::regex_search(line, match, spills)) current->spillBytes += std::stoll(match[1]) + std::stoll(match[2]);
    if (std::regex_search(line, match, registers)) current->registers = std::stoll(match[1]);
    if (std::regex_search(line, match, shared)) current->staticShared = std::stoll(match[1]);
  }
  return kernels;
}

std::vector<std::string> parsePtxasWarnings(std::string_view output) {
  static const std::regex advisory("^ptxas [a-z]+ *: \\((C[0-9]+)\\) (.*)$");
  static const std::regex warning("^ptxas .*[Ww]arning *: *(.*)$");
  std::vector<std::string> warnings;
  for (absl::string_view piece : absl::StrSplit(ToAbsl(output), '\n')) {
    std::string line(piece);
    std::smatch match;
    if (std::regex_search(line, match, advisory))
      line = absl::StrCat(match[1].str(), ": ", match[2].str());
    else if (std::regex_search(line, match, warning))
      line = match[1];
    else
      continue;
    if (std::find(warnings.begin(), warnings.end(), line) == warnings.end()) warnings.push_back(line);
  }
  return warnings;
}

absl::StatusOr<AssembledCode> assemblePtx(std::string_view ptx, std::string_view arch) {
  if (findPtxas().empty()) return FailedPrecondition("no ptxas in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin");
  ASSIGN_OR_RETURN(OwnedFolder folder, OwnedFolder::Temporary(kFolderPrefix));
  const std::string source = folder.path() + "/kernel.ptx", cubinPath = folder.path() + "/kernel.cubin";
  RETURN_IF_ERROR(WriteWholeFile(source, ptx));
  ExitStatus exit;
  ASSIGN_OR_RETURN(
      std::string output,
      runPtxas({absl::StrCat("-arch=", ToAbsl(arch)), "-v", "-O3", source, "-o", cubinPath}, folder, &exit));
  if (!exit.ok()) {
    const std::string complaint = firstComplaint(output);
    return Internal(absl::StrCat("ptxas: ", exit.Text(), complaint.empty() ? " and no output" : ": ", complaint));
  }
  AssembledCode code;
  absl::StatusOr<std::string> cubin = ReadWholeFile(cubinPath);
  if (!cubin.ok() || cubin->empty())
    return Internal(absl::StrCat(findPtxas(), " ended without an error and wrote no cubin: it is ",
                                 "not ptxas, or not whole; name another by MMTUNE_PTXAS, or none ",
                                 "to leave PTX for the driver to assemble"));
  code.cubin = *std::move(cubin);
  code.kernels = parsePtxasOutput(output);
  code.warnings = parsePtxasWarnings(output);
  return code;
}

}  // namespace mmtune
