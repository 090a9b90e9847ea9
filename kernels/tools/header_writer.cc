// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/header_writer.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "kernels/compiler/model/model_elements.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Longer lists of parameters stand one below the other.
constexpr size_t kLongestParameters = 80;

/// Null when C has no such type.
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

/// "forward(memref<4x8xf32>, f32) -> (memref<4xf32>)", as in the module.
std::string SignatureText(const ModelFunction& function) {
  auto text = [](std::string* out, const ModelType& type) { absl::StrAppend(out, type.text); };
  std::string signature = absl::StrCat(function.name, "(", absl::StrJoin(function.arguments, ", ", text), ")");
  if (!function.results.empty()) absl::StrAppend(&signature, " -> (", absl::StrJoin(function.results, ", ", text), ")");
  return CommentText(signature);
}

/// The descriptor of a kind of memref and a function that makes a dense one. Other models' headers may declare the
/// same.
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

}  // namespace

std::string CIdentifier(std::string_view name) {
  std::string identifier;
  for (char c : name) identifier += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (identifier.empty() || absl::ascii_isdigit(static_cast<unsigned char>(identifier[0]))) identifier.insert(0, "_");
  return identifier;
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
                      "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* ", guard, " */\n");
}

}  // namespace mmtune
