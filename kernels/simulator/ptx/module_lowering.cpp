// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/module_lowering.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/builder/kernel_names.h"
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/requirements.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

/// CUDA's function for failed assertions; convert-nvvm-to-simt reads its first argument as a pointer.
constexpr StringLiteral kAssertFail = "__assertfail";

/// A variable is a part of the object.
constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 28;

unsigned addressSpaceOf(Space space) {
  return space == Space::kShared ? kSharedSpace : space == Space::kConstant ? kConstantSpace : kGlobal;
}

/// Returns the bytes of an initial value, zeros after the last number.
absl::StatusOr<std::string> initialBytes(const Source& source, const Variable& variable, const ScalarType& type) {
  std::string bytes(bytesOf(variable), '\0');
  size_t at = 0;
  for (const Token& number : variable.initializer) {
    if (number.kind == TokenKind::kWord)
      return source.error(number.at, absl::StrCat("an initial value other than numbers ('", ToAbsl(number.text),
                                                  "') is not supported"));
    const Literal literal = number.kind == TokenKind::kInteger ? Literal::kInteger
                            : number.isDouble                  ? Literal::kDouble
                                                               : Literal::kFloat;
    // Unlike those of instructions, untyped variables accept any floating-point literal.
    ScalarType of = type;
    if (literal != Literal::kInteger && type.kind == TypeClass::kBits && (type.bits() == 32 || type.bits() == 64))
      of = typeNamed(type.bits() == 32 ? "f32" : "f64");
    const std::optional<uint64_t> bits = literalBits(literal, number.bits, of);
    if (!bits) return source.error(number.at, literalError(literal, type));
    // A literal has 64 bits; .b128 extends it by its sign, as instructions do.
    for (unsigned i = 0; i < type.bytes(); ++i)
      bytes[at++] = static_cast<char>(static_cast<int64_t>(*bits) >> std::min(8 * i, 63u));
  }
  return bytes;
}

}  // namespace

uint64_t bytesOf(const Variable& variable) {
  std::optional<ScalarType> type = findType(variable.type);
  return (type ? type->bytes() : 1) * variable.vector * variable.elements;
}

ModuleLowering::ModuleLowering(const Source& source, const Module& module, gpu::GPUModuleOp into)
    : text(source), module(module), into(into), symbols(into) {}

Location ModuleLowering::location(Position at, SourceLine line) const {
  std::string name = absl::StrCat(ToAbsl(text.name()), ":", at.line);
  if (auto file = module.files.find(line.file); file != module.files.end() && line.line != 0) {
    StringRef path = file->second;
    absl::StrAppend(&name, " (", path.substr(path.rfind('/') + 1).str(), ":", line.line, ")");
  }
  MLIRContext* context = into->getContext();
  return NameLoc::get(StringAttr::get(context, name),
                      FileLineColLoc::get(context, StringRef(text.name()), at.line, at.column));
}

const Function* ModuleLowering::function(StringRef name) const {
  const Function* declared = nullptr;
  for (const Function& function : module.functions)
    if (function.name == name) {
      if (function.isDefined) return &function;
      declared = &function;
    }
  return declared;
}

const Variable* ModuleLowering::variable(StringRef name) const {
  for (const Variable& variable : module.variables)
    if (variable.name == name) return &variable;
  return nullptr;
}

absl::StatusOr<LLVM::GlobalOp> ModuleLowering::createGlobal(const Variable& variable) {
  const ScalarType type = typeNamed(variable.type);
  const bool isShared = variable.space == Space::kShared;
  if (variable.isExternal && !isShared)
    return text.error(variable.at, "a variable that another module defines is not supported");
  const uint64_t bytes = bytesOf(variable);
  if (bytes > kMaxVariableBytes)
    return text.error(variable.at,
                      absl::StrCat("a variable of ", bytes, " bytes; at most ", kMaxVariableBytes, " are supported"));
  if (variable.initializer.size() * type.bytes() > bytes)
    return text.error(variable.at, "the initial value has more elements than the variable");

  MLIRContext* context = into->getContext();
  Builder b(context);
  OpBuilder builder(into.getBodyRegion());
  auto array = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  Attribute value;
  if (!isShared && variable.initializer.empty()) {
    auto shape = RankedTensorType::get({static_cast<int64_t>(bytes)}, b.getI8Type());
    value = DenseElementsAttr::get(shape, b.getI8IntegerAttr(0));
  } else if (!isShared) {
    ASSIGN_OR_RETURN(const std::string initial, initialBytes(text, variable, type));
    value = b.getStringAttr(initial);
  }
  const uint64_t alignment = std::max<uint64_t>(variable.alignment, uint64_t{type.bytes()} * variable.vector);
  auto global = LLVM::GlobalOp::create(builder, location(variable.at), array, variable.space == Space::kConstant,
                                       isShared ? LLVM::Linkage::External : LLVM::Linkage::Internal, variable.name,
                                       value, alignment, addressSpaceOf(variable.space));
  symbols.insert(global);
  globals[variable.name] = global;
  return global;
}

LLVM::LLVMFuncOp ModuleLowering::mathFunction(StringRef name, Type result, TypeRange arguments) {
  if (auto declared = symbols.lookup<LLVM::LLVMFuncOp>(name)) return declared;
  OpBuilder builder(into.getBodyRegion());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(arguments));
  auto declaration = LLVM::LLVMFuncOp::create(builder, into.getLoc(), name, type);
  symbols.insert(declaration);
  return declaration;
}

LLVM::LLVMFunctionType ModuleLowering::typeOf(const Function& function) const {
  MLIRContext* context = into->getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  if (function.isKernel)
    return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                       SmallVector<Type>(function.parameters.size(), pointer));
  auto valueType = [&](const Variable& variable) -> Type {
    std::optional<ScalarType> type = findType(variable.type);
    if (type && !variable.isArray && variable.vector == 1) return IntegerType::get(context, type->bits());
    return LLVM::LLVMArrayType::get(IntegerType::get(context, 8), bytesOf(variable));
  };
  SmallVector<Type> parameters;
  for (const Variable& parameter : function.parameters) parameters.push_back(valueType(parameter));
  if (function.name == kAssertFail && !parameters.empty()) parameters.front() = pointer;
  Type result = function.results.empty() ? Type(LLVM::LLVMVoidType::get(context)) : valueType(function.results.front());
  return LLVM::LLVMFunctionType::get(result, parameters);
}

std::string ModuleLowering::unmetRequirement(StringRef opcode, size_t operands) {
  const auto [known, isNew] = requirements.try_emplace((opcode + "/" + Twine(operands)).str());
  if (isNew) known->second = ptx::unmetRequirement(opcode, operands, module.target, module.version);
  return known->second;
}

absl::Status ModuleLowering::createFunction(const Function& function) {
  if (function.results.size() > 1) return text.error(function.at, "a function with several results is not supported");
  if (symbols.lookup(function.name)) {
    if (!function.isDefined) return absl::OkStatus();
    return text.error(function.at, absl::StrCat("'", function.name, "' is defined twice"));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  auto llvmFunction = LLVM::LLVMFuncOp::create(builder, location(function.at), function.name, typeOf(function));
  symbols.insert(llvmFunction);
  if (!function.isKernel) return absl::OkStatus();
  llvmFunction->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  auto setExtents = [&](StringRef attribute, const std::optional<std::array<uint64_t, 3>>& extents) {
    if (!extents) return;
    SmallVector<int32_t> sizes;
    for (uint64_t size : *extents) sizes.push_back(static_cast<int32_t>(std::min<uint64_t>(size, INT32_MAX)));
    llvmFunction->setAttr(attribute, builder.getDenseI32ArrayAttr(sizes));
  };
  setExtents(NVVM::NVVMDialect::getReqntidAttrName(), function.requiredThreads);
  setExtents(NVVM::NVVMDialect::getMaxntidAttrName(), function.maxThreads);
  auto setNumber = [&](StringRef attribute, const std::optional<uint64_t>& number) {
    if (!number) return;
    llvmFunction->setAttr(attribute,
                          builder.getI32IntegerAttr(static_cast<int32_t>(std::min<uint64_t>(*number, INT32_MAX))));
  };
  setNumber(NVVM::NVVMDialect::getMinctasmAttrName(), function.minBlocks);
  setNumber(NVVM::NVVMDialect::getMaxnregAttrName(), function.maxRegisters);
  if (function.clusterBlocks) {
    SmallVector<int32_t> blocks(function.clusterBlocks->begin(), function.clusterBlocks->end());
    llvmFunction->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), builder.getDenseI32ArrayAttr(blocks));
  }
  if (auto names = module.names.find(function.name); names != module.names.end()) {
    SmallVector<StringRef> lines(names->second.begin(), names->second.end());
    llvmFunction->setAttr(kNamesAttrName, builder.getStrArrayAttr(lines));
  }
  for (const auto& [i, parameter] : llvm::enumerate(function.parameters)) {
    auto memory = LLVM::LLVMArrayType::get(builder.getI8Type(), bytesOf(parameter));
    llvmFunction.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(memory));
    llvmFunction.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
  }
  return absl::OkStatus();
}

absl::Status ModuleLowering::run() {
  for (const Variable& variable : module.variables) RETURN_IF_ERROR(createGlobal(variable).status());
  for (const Function& function : module.functions)
    if (function.isDefined || !this->function(function.name)->isDefined) RETURN_IF_ERROR(createFunction(function));
  for (const Function& function : module.functions) {
    if (!function.isDefined) continue;
    RETURN_IF_ERROR(FunctionLowering(*this, function, symbols.lookup<LLVM::LLVMFuncOp>(function.name)).run());
  }
  return absl::OkStatus();
}

}  // namespace mmtune::ptx
