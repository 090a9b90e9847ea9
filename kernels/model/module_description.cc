// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/model/module_description.h"

#include <map>
#include <utility>

#include "kernels/scheduling/schedule_matmul.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "proto/base/digest.h"

namespace mmtune {
namespace {

std::string TextOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

/// Tensors as the memrefs that they are to callers.
ModelType Describe(mlir::Type type) {
  ModelType description;
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type)) {
    type = mlir::MemRefType::get(tensor.getShape(), tensor.getElementType());
  }
  description.text = TextOf(type);
  description.element = description.text;
  if (auto memref = mlir::dyn_cast<mlir::MemRefType>(type)) {
    description.kind = ModelType::Kind::kMemref;
    description.element = TextOf(memref.getElementType());
    description.identity_layout = memref.getLayout().isIdentity();
    for (int64_t size : memref.getShape()) {
      description.shape.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
    }
  }
  return description;
}

std::string StringAttribute(mlir::Operation* op, llvm::StringRef name) {
  auto attribute = op->getAttrOfType<mlir::StringAttr>(name);
  return attribute ? attribute.str() : std::string();
}

}  // namespace

std::vector<ModelFunction> DescribeFunctions(mlir::ModuleOp module) {
  std::vector<ModelFunction> functions;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic()) continue;
    ModelFunction& description = functions.emplace_back();
    description.name = function.getName().str();
    for (mlir::BlockArgument argument : function.getArguments()) {
      ModelType& type = description.arguments.emplace_back(Describe(argument.getType()));
      auto writable = function.getArgAttrOfType<mlir::BoolAttr>(argument.getArgNumber(), "bufferization.writable");
      type.is_writable_tensor = mlir::isa<mlir::TensorType>(argument.getType()) && writable && writable.getValue();
    }
    for (mlir::Type type : function.getResultTypes()) description.results.push_back(Describe(type));
  }
  return functions;
}

std::vector<ModelKernel> DescribeKernels(mlir::ModuleOp module, std::vector<ModuleImage> images) {
  std::map<std::string, DeviceImage> by_name;
  for (ModuleImage& made : images) by_name[made.module] = std::move(made.image);
  std::vector<ModelKernel> kernels;
  for (auto binary : module.getOps<mlir::gpu::BinaryOp>()) {
    auto made = by_name.find(binary.getName().str());
    if (made == by_name.end()) continue;  // The author's own.
    ModelKernel& kernel = kernels.emplace_back();
    kernel.module = made->first;
    kernel.format = made->second.format;
    kernel.image = std::move(made->second.bytes);
    kernel.code_digest = Sha256Hex(kernel.image);
    kernel.problem = StringAttribute(binary, kProblemAttrName);
    kernel.schedule = StringAttribute(binary, kScheduleAttrName);
    kernel.source = StringAttribute(binary, kSourceAttrName);
    kernel.expected_digest = StringAttribute(binary, kDigestAttrName);
  }
  return kernels;
}

}  // namespace mmtune
