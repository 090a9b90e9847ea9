// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/linker.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "kernels/tools/output_files.h"
#include "proto/base/subprocess.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

constexpr char kRuntimeLibrary[] = "libmmtune_runtime.so";
constexpr std::chrono::minutes kTimeout{5};

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Compiler drivers take options for the linker behind -Wl, the linker itself takes them as they are.
std::vector<std::string> LinkCommand(const std::string& linker, const std::string& object, const std::string& library,
                                     const std::string& soname, const std::string& runtime,
                                     const std::vector<std::string>& libraries) {
  const bool driver = !absl::EndsWith(linker, "/ld");
  auto flag = [driver](const char* name) { return absl::StrCat(driver ? "-Wl," : "", name); };
  auto option = [driver](const std::string& name, const std::string& value) {
    return driver ? std::vector<std::string>{absl::StrCat("-Wl,", name, ",", value)}
                  : std::vector<std::string>{name, value};
  };
  // A library without device operations has the runtime library, too: its callers ask that for errors.
  std::vector<std::string> command = {linker,  "-shared",          "-o", library, object, flag("--no-as-needed"),
                                      runtime, flag("--as-needed")};
  for (const auto& pair : {option("-rpath", "$ORIGIN"), option("-rpath", FolderOf(runtime)), option("-soname", soname),
                           option("-z", "defs")}) {
    command.insert(command.end(), pair.begin(), pair.end());
  }
  for (const std::string& found : libraries) {
    command.push_back(found);
    for (std::string& word : option("-rpath", FolderOf(found))) command.push_back(std::move(word));
  }
  // A function or global of the model is its own, whatever another library of the process calls by its name.
  command.push_back(flag("-Bsymbolic"));
  // Generated code calls malloc and free, and math functions where a host loop needs them.
  command.insert(command.end(), {"-lm", "-lc"});
  return command;
}

std::string FirstLine(const std::string& text) {
  const std::string_view stripped = ToStd(absl::StripAsciiWhitespace(text));
  return std::string(stripped.substr(0, stripped.find('\n')));
}

/// What the linkers of GNU and LLVM say of symbols that nothing defines, each once, in their order.
std::vector<std::string> MissingSymbols(const std::string& messages) {
  static const std::regex missing("(?:undefined reference to|undefined symbol:) [`']?([^`'\\s]+)");
  std::vector<std::string> symbols;
  for (std::sregex_iterator match(messages.begin(), messages.end(), missing), end; match != end; ++match) {
    if (std::find(symbols.begin(), symbols.end(), (*match)[1]) == symbols.end()) symbols.push_back((*match)[1]);
  }
  return symbols;
}

absl::Status LinkError(const std::string& linker, const ExitStatus& exit, const std::string& messages) {
  const std::vector<std::string> missing = MissingSymbols(messages);
  if (missing.empty()) return Internal(absl::StrCat(linker, ": ", exit.Text(), ": ", FirstLine(messages)));
  return Internal(absl::StrCat("nothing defines ", absl::StrJoin(missing, ", "),
                               ", which the module declares (a func.func without a body, a memref.global without a "
                               "value): name the libraries that do by --shared-libs, emit an object (-o model.o) and "
                               "link it with them, or give a global a value, or = uninitialized"));
}

}  // namespace

absl::StatusOr<std::string> FindRuntimeLibrary() {
  const std::string folder = ExecutableFolder();
  for (const std::string& candidate :
       {absl::StrCat(FolderOf(folder), "/lib/", kRuntimeLibrary), absl::StrCat(folder, "/", kRuntimeLibrary)}) {
    if (access(candidate.c_str(), R_OK) == 0) return candidate;
  }
  return NotFound(absl::StrCat("there is no ", kRuntimeLibrary, " in ", FolderOf(folder), "/lib or ", folder,
                               ": install it with mmtune-compile, or emit an object (-o model.o)"));
}

absl::StatusOr<std::string> FindLinker() {
  for (const char* name : {"cc", "gcc", "clang", "ld"}) {
    if (std::string found = FindOnPath(name); !found.empty()) return found;
  }
  return NotFound(
      "no linker to make a shared library with: there is no cc, gcc, clang or ld on PATH; emit an object (-o model.o) "
      "and link it elsewhere");
}

absl::StatusOr<std::vector<std::string>> FindLibraries(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(name, none)) {
      return InvalidArgument(absl::StrCat("--shared-libs: ", name, " is no file: give the path of the library"));
    }
    paths.push_back(std::filesystem::absolute(name).lexically_normal().string());
  }
  return paths;
}

absl::Status LinkSharedLibrary(const std::string& object, const std::string& library, const std::string& soname,
                               const std::vector<std::string>& libraries, const std::string& messages) {
  ASSIGN_OR_RETURN(std::string runtime, FindRuntimeLibrary());
  ASSIGN_OR_RETURN(std::string linker, FindLinker());
  SubprocessOptions options;
  options.argv = LinkCommand(linker, object, library, soname, runtime, libraries);
  options.output_path = messages;
  options.extra_environment = {"LC_ALL=C"};  // MissingSymbols reads them.
  ASSIGN_OR_RETURN(Subprocess process, Subprocess::Spawn(options));
  SetOutputChild(process.pid());
  std::optional<ExitStatus> exit = process.Wait(kTimeout);
  SetOutputChild(0);
  if (!exit) return Internal(absl::StrCat(linker, " did not finish within 5 minutes"));
  if (exit->ok()) return absl::OkStatus();
  return LinkError(linker, *exit, ReadWholeFile(messages).value_or(""));
}

}  // namespace mmtune
