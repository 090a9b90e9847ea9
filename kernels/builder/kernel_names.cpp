// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/kernel_names.h"

#include "kernels/builder/kernel_builder.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Adds a line to the attribute of the kernel that is being built.
void addLine(KernelBuilder& builder, llvm::StringRef kind, int64_t first, int64_t count, std::string_view name) {
  LLVM::LLVMFuncOp kernel = builder.kernel();
  Builder attributes(kernel.getContext());
  llvm::SmallVector<Attribute> lines;
  if (auto before = kernel->getAttrOfType<ArrayAttr>(kNamesAttrName)) llvm::append_range(lines, before);
  lines.push_back(
      attributes.getStringAttr(kind + " " + Twine(first) + " " + Twine(count) + " " + llvm::StringRef(name)));
  kernel->setAttr(kNamesAttrName, attributes.getArrayAttr(lines));
}

}  // namespace

void nameMbarriers(KernelBuilder& builder, int64_t offset, int64_t count, std::string_view name) {
  addLine(builder, "mbarriers", offset, count, name);
}

void nameBarriers(KernelBuilder& builder, int64_t first, int64_t count, std::string_view name) {
  addLine(builder, "barriers", first, count, name);
}

void nameWarps(KernelBuilder& builder, int64_t first, int64_t count, std::string_view name) {
  addLine(builder, "warps", first, count, name);
}

}  // namespace mmtune
