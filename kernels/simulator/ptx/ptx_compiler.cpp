// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/ptx_compiler.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/compiler.h"
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/simulator/ptx/module_lowering.h"
#include "kernels/simulator/ptx/shared_flow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

/// Up to this size of text, code for race detection is generated without optimisation: that saves more time than the
/// slower code costs. Unoptimised code may need a byte of stack for each byte of text, and a thread of the SIMT device
/// has twice as many (FiberStacks::kStackBytes).
constexpr size_t kMostUnoptimizedText = 128 << 10;

/// Returns the target machine of this thread. Making one takes as long as generating code for a small kernel.
absl::StatusOr<llvm::TargetMachine*> hostMachine() {
  static thread_local std::unique_ptr<llvm::TargetMachine> machine;
  if (!machine) {
    ASSIGN_OR_RETURN(machine, createHostMachine());
  }
  return machine.get();
}

/// Generates an object. Whoever wrote the PTX has optimised it, and code for race detection spends its time in the
/// runtime, so for that the time to generate it matters most.
absl::StatusOr<std::string> generateObject(gpu::GPUModuleOp kernels, bool raceDetection, size_t textBytes) {
  CrashSubject subject(("code for the kernels of @" + kernels.getName()).str());
  ASSIGN_OR_RETURN(llvm::TargetMachine * machine, hostMachine());
  using Level = llvm::CodeGenOptLevel;
  machine->setOptLevel(!raceDetection                      ? Level::Aggressive
                       : textBytes <= kMostUnoptimizedText ? Level::None
                                                           : Level::Less);
  machine->setFastISel(false);  // LLVM turns it on for unoptimised code, and leaves it on.
  return generateCode(kernels, *machine, raceDetection ? kRegistersOnly : 3, CodeKind::kObject);
}

/// Returns the place of a location that ModuleLowering made; the first line for others.
Position positionOf(Location location) {
  Position position;
  location->walk([&](Location inner) {
    auto at = dyn_cast<FileLineColLoc>(inner);
    if (!at) return WalkResult::advance();
    position = {at.getLine(), at.getColumn()};
    return WalkResult::interrupt();
  });
  return position;
}

void addNames(const std::vector<Operand>& operands, std::set<std::string>& names) {
  for (const Operand& operand : operands) {
    names.insert(operand.name);
    addNames(operand.items, names);
  }
}

/// Returns the module with these kernels (all, if there are no names), the functions that they name, directly or not,
/// and if some kernels are left out, the variables that these functions name.
Module keepReachable(const Module& module, const std::vector<std::string>& kernels) {
  Module kept = module;
  kept.functions.clear();
  std::set<std::string> names(kernels.begin(), kernels.end());
  std::vector<bool> isKept(module.functions.size());
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (const auto& [i, function] : llvm::enumerate(module.functions)) {
      const bool isRoot = function.isKernel && kernels.empty();
      if (isKept[i] || (!isRoot && names.count(function.name) == 0)) continue;
      isKept[i] = isNew = true;
      for (const Instruction& instruction : function.instructions) addNames(instruction.operands, names);
    }
  }
  for (const auto& [i, function] : llvm::enumerate(module.functions))
    if (isKept[i]) kept.functions.push_back(function);
  if (!kernels.empty())
    std::erase_if(kept.variables, [&](const Variable& variable) { return names.count(variable.name) == 0; });
  return kept;
}

}  // namespace

absl::StatusOr<CompiledPtx> compilePtx(std::string_view text, const PtxOptions& options) {
  CrashSubject subject(absl::StrCat("the PTX ", options.name));
  const Source source(options.name, text);
  ASSIGN_OR_RETURN(const Module whole, parse(source));
  const Module module = keepReachable(whole, options.kernels);

  static const auto* registry = new DialectRegistry(createCompilerRegistry());
  CompilerContext context(*registry);
  absl::Status refused;
  ScopedDiagnosticHandler handler(&context.mlir(), [&](Diagnostic& diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && refused.ok())
      refused = source.error(positionOf(diagnostic.getLocation()), diagnostic.str());
    return success();
  });
  OpBuilder builder(&context.mlir());
  OwningOpRef<ModuleOp> container = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(container->getBody());
  auto kernels = gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), "ptx");
  RETURN_IF_ERROR(ModuleLowering(source, module, kernels).run());

  PassManager passes(&context.mlir(), ModuleOp::getOperationName());
  passes.enableVerifier(false);  // Translation and LLVM's verifier check what comes out.
  OpPassManager& device = passes.nest<gpu::GPUModuleOp>();
  device.addPass(createConvertNvvmToSimtPass({.raceDetection = options.race_detection, .profile = options.profile}));
  const bool converted = succeeded(passes.run(*container));
  if (!refused.ok()) return refused;
  if (!converted) return Internal(absl::StrCat(options.name, ": the conversion for the SIMT device failed"));

  CompiledPtx compiled;
  ASSIGN_OR_RETURN(compiled.image, generateObject(kernels, options.race_detection || options.profile, text.size()));
  compiled.target = module.target;
  for (const Function& function : whole.functions) {
    if (!function.isKernel || !function.isDefined) continue;
    PtxKernel kernel{.name = function.name, .parameters = {}, .requiredThreads = function.requiredThreads};
    for (const Variable& parameter : function.parameters)
      kernel.parameters.push_back({parameter.name, bytesOf(parameter)});
    kernel.sharedDecides = sharedMayDecide(module, function);
    compiled.kernels.push_back(std::move(kernel));
  }
  return compiled;
}

absl::StatusOr<std::unique_ptr<Device>> createPtxDevice(simt::SimtOptions options) {
  PtxOptions compilation;
  compilation.race_detection = options.race_detector || options.profile;
  compilation.profile = options.profile;
  options.compile_ptx = [compilation](std::string_view text) -> absl::StatusOr<std::string> {
    ASSIGN_OR_RETURN(CompiledPtx compiled, compilePtx(text, compilation));
    return std::move(compiled.image);
  };
  return simt::SimtDevice::Create(options);
}

}  // namespace mmtune::ptx
