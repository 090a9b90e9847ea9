// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_options.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct EmitEntry {
  EmitKind kind;
  const char* name;
  const char* suffix;  ///< Empty when no suffix stands for it.
  ModelStage stage;
};

constexpr EmitEntry kEmitKinds[] = {{EmitKind::kMlirGpu, "mlir-gpu", "", ModelStage::kGpu},
                                    {EmitKind::kMlirBinary, "mlir-binary", "", ModelStage::kBinary},
                                    {EmitKind::kMlirLlvm, "mlir-llvm", ".mlir", ModelStage::kLlvm},
                                    {EmitKind::kLlvmIr, "llvm", ".ll", ModelStage::kLlvmIr},
                                    {EmitKind::kObject, "obj", ".o", ModelStage::kObject},
                                    {EmitKind::kSharedLibrary, "so", ".so", ModelStage::kObject},
                                    {EmitKind::kPtx, "ptx", ".ptx", ModelStage::kBinary},
                                    {EmitKind::kCubin, "cubin", ".cubin", ModelStage::kBinary}};

const EmitEntry& EntryOf(EmitKind kind) {
  return *std::find_if(std::begin(kEmitKinds), std::end(kEmitKinds),
                       [kind](const EmitEntry& entry) { return entry.kind == kind; });
}

constexpr char kBytecodeSuffix[] = ".mlirbc";

}  // namespace

std::string_view EmitKindName(EmitKind kind) { return EntryOf(kind).name; }

ModelStage StageOf(EmitKind kind) { return EntryOf(kind).stage; }

absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name) {
  std::string known;
  for (const EmitEntry& entry : kEmitKinds) {
    if (name == entry.name) return entry.kind;
    absl::StrAppend(&known, known.empty() ? "" : ", ", entry.name);
  }
  return InvalidArgument(absl::StrCat("there is no kind of output '", ToAbsl(name), "': ", known));
}

absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path) {
  if (IsBytecodeFile(path)) return EmitKind::kMlirLlvm;
  for (const EmitEntry& entry : kEmitKinds) {
    if (entry.suffix[0] != '\0' && absl::EndsWith(ToAbsl(path), entry.suffix)) return entry.kind;
  }
  return InvalidArgument(
      absl::StrCat("the suffix of ", ToAbsl(path),
                   " says no kind of output: .so, .o, .ll, .mlir, .mlirbc, .ptx, .cubin, or give --emit"));
}

bool IsBytecodeFile(std::string_view path) { return absl::EndsWith(ToAbsl(path), kBytecodeSuffix); }

bool IsMlir(EmitKind kind) {
  return kind == EmitKind::kMlirGpu || kind == EmitKind::kMlirBinary || kind == EmitKind::kMlirLlvm;
}

}  // namespace mmtune
