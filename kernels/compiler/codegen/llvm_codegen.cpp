// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/codegen/llvm_codegen.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

constexpr char kVariable[] = "MMTUNE_HOST_CPU";
constexpr char kNative[] = "native";

// The bf16 instructions of these features take subnormal numbers for zeros. No GPU does, nor a processor without them.
constexpr char kNoFlushingBf16[] = "-avx512bf16,-avxneconvert,-avx10.2";

HostCpu nativeCpu() {
  HostCpu cpu{llvm::sys::getHostCPUName().str(), ""};
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    absl::StrAppend(&cpu.features, cpu.features.empty() ? "" : ",", feature.getValue() ? "+" : "-",
                    feature.getKey().str());
  return cpu;
}

/// True if LLVM uses a feature implicitly. Others, such as protection keys, are often hidden from virtual machines.
bool isUsedUnasked(llvm::StringRef feature) {
  static constexpr llvm::StringLiteral kBeginnings[] = {"sse",   "ssse",   "avx",  "fma",  "f16c", "bmi", "movbe",
                                                        "lzcnt", "popcnt", "cx16", "gfni", "xop",  "tbm"};
  return llvm::any_of(kBeginnings, [&](llvm::StringRef beginning) { return feature.starts_with(beginning); });
}

void initializeTargets() {
  static const bool done = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createMachine(const llvm::Triple& triple, llvm::StringRef cpu,
                                                                   llvm::StringRef features) {
  initializeTargets();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return Internal(absl::StrCat("LLVM has no target ", triple.str(), ": ", error));
  llvm::TargetOptions options;
  options.UseInitArray = true;  // The loader runs constructors from .init_array, not .ctors.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine) return Internal(absl::StrCat("LLVM cannot generate code for ", triple.str()));
  return machine;
}

/// Returns the oldest PTX version with everything that the families use on an architecture.
absl::StatusOr<int> oldestPtx(std::string_view target) {
  const std::string arch = PortableArchitecture(target);
  if (arch == "sm_75") return 63;
  if (arch == "sm_80" || arch == "sm_86" || arch == "sm_89") return 78;
  if (arch == "sm_90") return 81;
  if (arch == "sm_100") return 86;
  if (arch == "sm_120") return 87;
  return InvalidArgument(
      absl::StrCat("cannot generate code for architecture '", ToAbsl(target), "'; known: ", KnownArchitectures()));
}

/// Returns the feature of the oldest PTX version that also has the instructions of the module.
absl::StatusOr<std::string> ptxFeature(std::string_view arch, mlir::Operation* module) {
  ASSIGN_OR_RETURN(int ptx, oldestPtx(arch));
  module->walk([&](mlir::Operation* op) { ptx = std::max(ptx, requirementOf(op).ptx); });
  return absl::StrCat("+ptx", ptx);
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  static const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                                   llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::ModulePassManager passes;
  if (level == kRegistersOnly) {
    llvm::FunctionPassManager promotion;
    promotion.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    // Code generation without optimisation is fast for scalars only.
    llvm::ScalarizerPassOptions scalars;
    scalars.ScalarizeLoadStore = true;
    promotion.addPass(llvm::ScalarizerPass(scalars));
    promotion.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(promotion)));
  } else if (level == 0) {
    passes = builder.buildO0DefaultPipeline(levels[0]);
  } else {
    passes = builder.buildPerModuleDefaultPipeline(levels[level]);
  }
  passes.run(module, modules);
}

}  // namespace

absl::StatusOr<HostCpu> findHostCpu(std::string_view name) {
  const char* variable = name.empty() ? std::getenv(kVariable) : nullptr;
  const std::string wanted(variable ? std::string_view(variable) : name);
  if (wanted.empty() || wanted == kNative) return nativeCpu();
  if (llvm::X86::parseArchX86(wanted, /*Only64Bit=*/true) != llvm::X86::CK_None) return HostCpu{wanted, ""};
  return InvalidArgument(absl::StrCat(variable ? absl::StrCat(kVariable, "=") : "", wanted,
                                      " is not an x86-64 processor that LLVM knows: name one (skylake, znver4, "
                                      "sapphirerapids), a level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4) or native"));
}

absl::Status checkRunsHere(std::string_view name) {
  ASSIGN_OR_RETURN(HostCpu cpu, findHostCpu(name));
  if (!cpu.features.empty()) return absl::OkStatus();  // It is this machine's processor.
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(cpu.name, features);
  const llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  for (llvm::StringRef feature : features)
    if (auto found = here.find(feature); found != here.end() && !found->getValue() && isUsedUnasked(feature))
      return FailedPrecondition(absl::StrCat("code for ", cpu.name,
                                             " does not run here: this machine's processor has no ", feature.str(),
                                             "; leave out the processor's name, or only compile"));
  return absl::OkStatus();
}

// Only these two back ends are needed; the other initializers would cost time.
extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createNvptxMachine(std::string_view arch,
                                                                        mlir::Operation* module) {
  ASSIGN_OR_RETURN(std::string feature, ptxFeature(arch, module));
  return createMachine(llvm::Triple("nvptx64-nvidia-cuda"), llvm::StringRef(arch.data(), arch.size()), feature);
}

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> createHostMachine(std::string_view cpuName) {
  ASSIGN_OR_RETURN(HostCpu cpu, findHostCpu(cpuName));
  const std::string features = absl::StrCat(cpu.features, cpu.features.empty() ? "" : ",", kNoFlushingBf16);
  return createMachine(llvm::Triple(llvm::sys::getProcessTriple()), cpu.name, features);
}

absl::StatusOr<std::string> generateCode(mlir::Operation* module, llvm::TargetMachine& machine, int level,
                                         CodeKind kind) {
  llvm::LLVMContext context;
  std::string diagnostic;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* out) {
        if (info->getSeverity() != llvm::DS_Error) return;
        llvm::raw_string_ostream stream(*static_cast<std::string*>(out));
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
      },
      &diagnostic);
  std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(module, context);
  if (!translated) return Internal("MLIR cannot translate the module to LLVM IR");
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  if (mlir::isa<mlir::gpu::GPUModuleOp>(module)) RETURN_IF_ERROR(linkDeviceMath(*translated));
  optimize(*translated, machine, level);

  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  if (kind == CodeKind::kLlvmIr) {
    translated->print(stream, /*AAW=*/nullptr);
    return std::string(code.data(), code.size());
  }
  llvm::legacy::PassManager passes;
  auto type = kind == CodeKind::kAssembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return Internal(absl::StrCat("LLVM cannot emit ", kind == CodeKind::kAssembly ? "assembly" : "an object file",
                                 " for ", machine.getTargetTriple().str()));
  passes.run(*translated);
  if (!diagnostic.empty()) return Internal(absl::StrCat("LLVM: ", diagnostic));
  return std::string(code.data(), code.size());
}

}  // namespace mmtune
