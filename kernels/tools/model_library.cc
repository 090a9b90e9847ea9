// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/model_library.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/tools/output_files.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

/// Longer lists of parameters have one a line.
constexpr size_t kLongestParameters = 80;

/// Returns null if C has no such type.
const ModelElement* FindCElement(const ModelType& type) {
  const ModelElement* found = FindModelElement(type.element);
  if (found == nullptr || found->c == nullptr) return nullptr;
  return type.kind == ModelType::Kind::kMemref || found->c_by_value ? found : nullptr;
}

bool HasCTypes(const ModelFunction& function) {
  auto passable = [](const ModelType& type) { return FindCElement(type) != nullptr; };
  return std::all_of(function.arguments.begin(), function.arguments.end(), passable) &&
         std::all_of(function.results.begin(), function.results.end(), passable);
}

std::string CommentText(std::string_view text) {
  return absl::StrReplaceAll(ToAbsl(text), {{"*/", "* /"}, {"/*", "/ *"}, {"\n", " "}});
}

std::string MemrefName(const ModelType& type) {
  return absl::StrCat("mmtune_memref_", type.shape.size(), "d_", type.element);
}

std::string CType(const ModelType& type) {
  return type.kind == ModelType::Kind::kMemref ? MemrefName(type) : FindCElement(type)->c;
}

/// Returns "forward(memref<4x8xf32>, f32) -> (memref<4xf32>)", as in the module.
std::string SignatureText(const ModelFunction& function) {
  auto text = [](std::string* out, const ModelType& type) { absl::StrAppend(out, type.text); };
  std::string signature = absl::StrCat(function.name, "(", absl::StrJoin(function.arguments, ", ", text), ")");
  if (!function.results.empty()) absl::StrAppend(&signature, " -> (", absl::StrJoin(function.results, ", ", text), ")");
  return CommentText(signature);
}

/// Declares the descriptor of a kind of memref, and a function that makes a dense one; guarded, as other models'
/// headers may declare it, too.
std::string MemrefDeclaration(const ModelType& type) {
  const std::string name = MemrefName(type), element = FindCElement(type)->c;
  const std::string guard = absl::AsciiStrToUpper(name);
  const size_t rank = type.shape.size();
  std::string text =
      absl::StrCat("#ifndef ", guard, "_DEFINED\n#define ", guard, "_DEFINED\ntypedef struct ", name, " {\n  ", element,
                   " *allocated; /* What free() takes. */\n  ", element, " *aligned;\n  int64_t offset;\n");
  if (rank > 0) absl::StrAppend(&text, "  int64_t sizes[", rank, "];\n  int64_t strides[", rank, "];\n");
  absl::StrAppend(&text, "} ", name, ";\n\n/* Dense and row-major, over memory of the caller's. */\nstatic inline ",
                  name, " ", name, "_dense(", element, " *data");
  for (size_t i = 0; i < rank; ++i) absl::StrAppend(&text, ", int64_t size", i);
  absl::StrAppend(&text, ") {\n  ", name, " memref;\n  memref.allocated = data;\n  memref.aligned = data;\n",
                  "  memref.offset = 0;\n");
  for (size_t i = 0; i < rank; ++i) absl::StrAppend(&text, "  memref.sizes[", i, "] = size", i, ";\n");
  for (size_t i = rank; i-- > 0;) {
    absl::StrAppend(&text, "  memref.strides[", i, "] = ");
    if (i + 1 == rank) {
      absl::StrAppend(&text, "1;\n");
    } else {
      absl::StrAppend(&text, "memref.strides[", i + 1, "] * size", i + 1, ";\n");
    }
  }
  absl::StrAppend(&text, "  return memref;\n}\n#endif\n\n");
  return text;
}

std::string MemrefDeclarations(const std::vector<const ModelFunction*>& functions) {
  std::map<std::string, const ModelType*> memrefs;
  for (const ModelFunction* function : functions) {
    for (const auto* types : {&function->arguments, &function->results}) {
      for (const ModelType& type : *types) {
        if (type.kind == ModelType::Kind::kMemref) memrefs.emplace(MemrefName(type), &type);
      }
    }
  }
  std::string text;
  for (const auto& [name, type] : memrefs) absl::StrAppend(&text, MemrefDeclaration(*type));
  return text;
}

std::string ParameterList(const ModelFunction& function, std::string_view result) {
  std::vector<std::string> parameters;
  if (!result.empty()) parameters.push_back(absl::StrCat(ToAbsl(result), " *result"));
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const ModelType& type = function.arguments[i];
    parameters.push_back(absl::StrCat(CType(type), type.kind == ModelType::Kind::kMemref ? " *arg" : " arg", i));
  }
  if (parameters.empty()) return "void";
  const std::string line = absl::StrJoin(parameters, ", ");
  return line.size() <= kLongestParameters ? line : absl::StrCat("\n    ", absl::StrJoin(parameters, ",\n    "));
}

/// `name` is unique among the functions and a C identifier.
std::string FunctionDeclaration(const ModelFunction& function, const std::string& name) {
  std::string text = absl::StrCat("/* ", SignatureText(function), " */\n");
  std::string returned = "void", result;
  if (function.results.size() == 1) {
    const bool memref = function.results[0].kind == ModelType::Kind::kMemref;
    (memref ? result : returned) = CType(function.results[0]);
  } else if (function.results.size() > 1) {
    result = absl::StrCat(name, "_results");
    absl::StrAppend(&text, "typedef struct ", result, " {\n");
    for (size_t i = 0; i < function.results.size(); ++i) {
      absl::StrAppend(&text, "  ", CType(function.results[i]), " result", i, ";\n");
    }
    absl::StrAppend(&text, "} ", result, ";\n");
  }
  const std::string declared = absl::StrCat("_mlir_ciface_", name);
  absl::StrAppend(&text, returned, " ", declared, "(", ParameterList(function, result), ")");
  if (declared != function.CSymbol()) {
    const std::string symbol = absl::StrReplaceAll(function.CSymbol(), {{"\\", "\\\\"}, {"\"", "\\\""}});
    absl::StrAppend(&text, "\n    __asm__(\"", symbol, "\")");
  }
  return absl::StrCat(text, ";\n\n");
}

std::string FunctionDeclarations(const std::vector<const ModelFunction*>& functions) {
  std::set<std::string> used;
  std::string text;
  for (const ModelFunction* function : functions) {
    const std::string base = CIdentifier(function->name);
    std::string name = base;
    for (int i = 2; !used.insert(name).second; ++i) name = absl::StrCat(base, "_", i);
    absl::StrAppend(&text, FunctionDeclaration(*function, name));
  }
  return text;
}

/// Defines the query of the dispatch tables; empty if there are none.
std::string DispatchDefinition(const HeaderOptions& options) {
  std::map<std::string, std::map<int64_t, const ModelKernel*>> tables;  // By problem; kernels by their largest m.
  if (options.kernels == nullptr) return "";
  for (const ModelKernel& kernel : *options.kernels) {
    for (const RowRange& range : kernel.rows) tables[kernel.problem][range.to] = &kernel;
  }
  if (tables.empty()) return "";
  const std::string name =
      absl::StrCat("mmtune_dispatch_", CIdentifier(options.file_name.substr(0, options.file_name.rfind('.'))));
  std::string text = absl::StrCat(
      "/* Returns the schedule of the kernel that computes a problem with m rows: one of the texts below, with ? in "
      "the\n"
      " * place of m. Null for other problems. */\n#include <string.h>\nstatic inline const char *",
      name, "(const char *problem, int64_t m) {\n");
  for (const auto& [problem, kernels] : tables) {
    absl::StrAppend(&text, "  if (strcmp(problem, \"", problem, "\") == 0) {\n");
    for (const auto& [to, kernel] : kernels) {
      const bool is_last = to == kernels.rbegin()->first;
      absl::StrAppend(&text, "    ", is_last ? "" : absl::StrCat("if (m <= ", to, ") "), "return \"", kernel->schedule,
                      "\";\n");
    }
    absl::StrAppend(&text, "  }\n");
  }
  absl::StrAppend(&text, "  return 0;\n}\n#ifndef mmtune_dispatch\n#define mmtune_dispatch ", name, "\n#endif\n\n");
  return text;
}

std::string OpeningComment(const HeaderOptions& options) {
  std::string text = absl::StrCat("/* Functions of ", CommentText(options.source), ", compiled by mmtune for ",
                                  CommentText(options.target), ".\n *\n");
  absl::StrAppend(
      &text,
      " * Link with the library this header came with, and that with libmmtune_runtime.so; mmtune_runtime.h has "
      "errors\n"
      " * and the choice of a device.\n *\n"
      " * A memref is passed by the address of its descriptor: element (i, j) is\n"
      " * aligned[offset + i * strides[0] + j * strides[1]]. Sizes have to be those of the comment; ? is any.\n");
  if (options.device_arguments) {
    absl::StrAppend(&text, " * Arguments are device memory: allocated by mgpuMemAlloc of the runtime library.\n");
  }
  absl::StrAppend(
      &text,
      " *\n * Results are the caller's: free(result.allocated), once for each allocation: results may "
      "share one, and a\n"
      " * result may be an argument's own memory. A call changes arguments only where the module's "
      "function does.\n"
      " * Arguments must not overlap one another in memory, nor a global of the module, unless the function "
      "only reads\n * what overlaps.\n */\n");
  return text;
}

constexpr char kRuntimeLibrary[] = "libmmtune_runtime.so";
constexpr std::chrono::minutes kTimeout{5};

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Builds the command line; compiler drivers take options of the linker behind -Wl.
std::vector<std::string> LinkCommand(const std::string& linker, const std::string& object, const std::string& library,
                                     const std::string& soname, const std::string& runtime,
                                     const std::vector<std::string>& libraries) {
  const bool driver = !absl::EndsWith(linker, "/ld");
  auto flag = [driver](const char* name) { return absl::StrCat(driver ? "-Wl," : "", name); };
  auto option = [driver](const std::string& name, const std::string& value) {
    return driver ? std::vector<std::string>{absl::StrCat("-Wl,", name, ",", value)}
                  : std::vector<std::string>{name, value};
  };
  // A library without device operations needs the runtime library, too, from which callers take errors.
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
  // The model's functions and globals are not replaced by those of another library with the same name.
  command.push_back(flag("-Bsymbolic"));
  // Generated code calls malloc and free, and math functions where a host loop needs them.
  command.insert(command.end(), {"-lm", "-lc"});
  return command;
}

std::string FirstLine(const std::string& text) {
  const std::string_view stripped = ToStd(absl::StripAsciiWhitespace(text));
  return std::string(stripped.substr(0, stripped.find('\n')));
}

/// Returns the undefined symbols in messages of GNU's and LLVM's linkers, each once, in their order.
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

std::string CIdentifier(std::string_view name) {
  std::string identifier;
  for (char c : name) identifier += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (identifier.empty() || absl::ascii_isdigit(static_cast<unsigned char>(identifier[0]))) identifier.insert(0, "_");
  return identifier;
}

std::string RowsText(const std::vector<RowRange>& ranges) {
  return absl::StrJoin(ranges, ",", [](std::string* out, const RowRange& range) {
    const bool is_open = range.to == std::numeric_limits<int64_t>::max();
    absl::StrAppend(out, range.from, "..", is_open ? "" : absl::StrCat(range.to));
  });
}

std::string ModelHeader(const std::vector<ModelFunction>& functions, const HeaderOptions& options) {
  const std::string guard = absl::StrCat("MMTUNE_MODEL_", absl::AsciiStrToUpper(CIdentifier(options.file_name)), "_");
  std::vector<const ModelFunction*> declared;
  std::string others;
  for (const ModelFunction& function : functions) {
    if (HasCTypes(function)) {
      declared.push_back(&function);
    } else {
      absl::StrAppend(&others, "/* Not for C, which cannot pass its types: ", SignatureText(function), " */\n\n");
    }
  }
  return absl::StrCat(OpeningComment(options), "#ifndef ", guard, "\n#define ", guard,
                      "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                      MemrefDeclarations(declared), FunctionDeclarations(declared), others,
                      "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n", DispatchDefinition(options), "#endif /* ",
                      guard, " */\n");
}

absl::StatusOr<std::string> FindRuntimeLibrary() {
  const std::string folder = ExecutableFolder();
  for (const std::string& candidate :
       {absl::StrCat(FolderOf(folder), "/lib/", kRuntimeLibrary), absl::StrCat(folder, "/", kRuntimeLibrary)}) {
    if (access(candidate.c_str(), R_OK) == 0) return candidate;
  }
  return NotFound(
      absl::StrCat("there is no ", kRuntimeLibrary, " in ", FolderOf(folder), "/lib or ", folder,
                   ": it belongs to the installation of mmtune-compile; repair that, or emit an object (-o model.o)"));
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
      return InvalidArgument(absl::StrCat("--shared-libs: ", name, " is not a file: give the path of the library"));
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
