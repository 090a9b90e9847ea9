// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/module_reader.h"

#include <bit>
#include <cctype>
#include <cstdint>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/GPU/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace mmtune {

using namespace mlir;  // NOLINT: the function below names most of its namespaces

DialectRegistry CreateModelRegistry() {
  DialectRegistry registry = createCompilerRegistry();
  registry.insert<affine::AffineDialect, bufferization::BufferizationDialect, complex::ComplexDialect,
                  index::IndexDialect, linalg::LinalgDialect, math::MathDialect, ml_program::MLProgramDialect,
                  nvgpu::NVGPUDialect, tensor::TensorDialect>();

  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  gpu::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);

  tm_tensor::registerDialect(registry);

  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  return registry;
}

std::unique_ptr<llvm::MemoryBuffer> AlignedCopy(std::string_view module, std::string_view name) {
  // An offset aligned to n is at least n, so no alignment exceeds the size.
  const llvm::Align alignment(std::bit_floor(module.size() | 1));
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(module.size(), llvm::StringRef(name), alignment);
  llvm::copy(module, copy->getBufferStart());
  return copy;
}

namespace {

constexpr std::string_view kBegin = "dense<\"0x", kEnd = "\">";
constexpr size_t kHexPerByte = 2, kBitsPerByte = 8;

absl::string_view ToView(std::string_view text) { return {text.data(), text.size()}; }

/// Returns the number of elements of " : tensor<2x4xi1>", or of a vector, at the beginning of `text`.
std::optional<size_t> BooleanElements(std::string_view text) {
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(ToView(text.substr(0, 256)));
  if (!absl::ConsumePrefix(&rest, ":")) return std::nullopt;
  rest = absl::StripLeadingAsciiWhitespace(rest);
  if (!absl::ConsumePrefix(&rest, "tensor<") && !absl::ConsumePrefix(&rest, "vector<")) return std::nullopt;
  const size_t end = rest.find('>');
  if (end == absl::string_view::npos) return std::nullopt;
  rest = rest.substr(0, end);
  if (!absl::ConsumeSuffix(&rest, "xi1")) return std::nullopt;
  size_t elements = 1;
  for (absl::string_view part : absl::StrSplit(rest, 'x')) {
    uint64_t size = 0;
    if (!absl::SimpleAtoi(part, &size)) return std::nullopt;
    elements *= size;
  }
  return elements;
}

/// Packs hexadecimal bytes into bits, the first one lowest, and pads with blanks to the old length.
std::string Pack(std::string_view hex) {
  std::string bytes = absl::HexStringToBytes(ToView(hex));
  std::string bits((bytes.size() + kBitsPerByte - 1) / kBitsPerByte, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0) bits[i / kBitsPerByte] = static_cast<char>(bits[i / kBitsPerByte] | 1 << i % kBitsPerByte);
  }
  const std::string packed = absl::BytesToHexString(bits);
  return absl::StrCat(packed, "\"", std::string(hex.size() - packed.size(), ' '), ">");
}

bool IsHex(std::string_view text) {
  for (char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
  }
  return true;
}

}  // namespace

std::string PackBooleanConstants(std::string_view text) {
  std::string packed;
  size_t done = 0;
  for (size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + 1)) {
    const size_t begin = at + kBegin.size(), end = text.find(kEnd, begin);
    if (end == std::string_view::npos) break;
    const std::string_view hex = text.substr(begin, end - begin);
    const std::optional<size_t> elements = BooleanElements(text.substr(end + kEnd.size()));
    if (!elements || *elements < 2 || hex.size() != *elements * kHexPerByte || !IsHex(hex)) continue;
    packed.append(text.substr(done, begin - done)).append(Pack(hex));
    done = end + kEnd.size();
  }
  return packed.append(text.substr(done));
}

namespace {

/// Checks result types: MLIR parses `%t = gpu.launch blocks...` without `async`, gives the result no type, and crashes
/// in the verifier.
llvm::LogicalResult CheckResultTypes(mlir::ModuleOp module) {
  auto check = [](mlir::Operation* op) -> mlir::WalkResult {
    for (mlir::OpResult result : op->getResults()) {
      if (result.getType()) continue;
      return op->emitError("'") << op->getName() << "' has a result only when it is asynchronous: write '"
                                << op->getName() << " async', or no result";
    }
    return mlir::WalkResult::advance();
  };
  return llvm::failure(module.walk(check).wasInterrupted());
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> ParseModule(const llvm::MemoryBuffer* bytecode, llvm::SourceMgr& sources,
                                              llvm::StringRef name, mlir::MLIRContext* context) {
  const mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      bytecode != nullptr ? mlir::parseSourceString<mlir::ModuleOp>(bytecode->getBuffer(), config, name)
                          : mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  if (!module || failed(CheckResultTypes(*module)) || failed(mlir::verify(*module))) return nullptr;
  return module;
}

}  // namespace mmtune
