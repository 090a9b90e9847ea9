// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/model_compiler.h"

#include <map>
#include <regex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/model/compilation.h"
#include "kernels/compiler/model/matmul_counts.h"
#include "kernels/compiler/model/module_reader.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using mlir::ModuleOp;
using mlir::OpPassManager;

std::string TextOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

/// Describes a type as callers see it: tensors are memrefs.
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

/// Describes the public func.funcs with a body, in module order, with bufferized types.
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

/// Describes the gpu.binary operations of `module` that have one of `images`, in module order. Emits a remark at each
/// about which ptxas warned.
std::vector<ModelKernel> DescribeKernels(mlir::ModuleOp module, std::vector<ModuleImage> images) {
  std::map<std::string, DeviceImage> by_name;
  for (ModuleImage& made : images) by_name[made.module] = std::move(made.image);
  std::vector<ModelKernel> kernels;
  for (auto binary : module.getOps<mlir::gpu::BinaryOp>()) {
    auto made = by_name.find(binary.getName().str());
    if (made == by_name.end()) continue;  // The user wrote this one.
    ModelKernel& kernel = kernels.emplace_back();
    kernel.module = made->first;
    if (const std::vector<std::string>& warnings = made->second.warnings; !warnings.empty())
      binary.emitRemark() << "ptxas warns of the kernels @" << made->first << ": " << absl::StrJoin(warnings, "; ");
    kernel.format = made->second.format;
    kernel.image = std::move(made->second.bytes);
    kernel.code_digest = Sha256Hex(kernel.image);
    kernel.problem = StringAttribute(binary, kProblemAttrName);
    kernel.schedule = StringAttribute(binary, kScheduleAttrName);
    kernel.source = StringAttribute(binary, kSourceAttrName);
    kernel.expected_digest = StringAttribute(binary, kDigestAttrName);
    if (auto rows = binary->getAttrOfType<mlir::DenseI64ArrayAttr>(kRowsAttrName)) {
      for (int64_t i = 0; i + 1 < rows.size(); i += 2) kernel.rows.push_back({rows[i], rows[i + 1]});
    }
  }
  return kernels;
}

/// True if the model gets PTX for an architecture, which runs on newer ones, too; a cubin runs on its own alone.
bool IsPortable(const CompileTarget& target) {
  const bool assembled = target.assemble && !findPtxas().empty();
  return target.device.kind == DeviceKind::kCuda && !assembled && !IsArchitectureSpecific(target.device.arch);
}

ToGpuOptions ToGpu(const ModelOptions& options) {
  ToGpuOptions to_gpu;
  to_gpu.device = options.target.device;
  to_gpu.spec = options.spec;
  to_gpu.allowFallback = options.allow_fallback;
  to_gpu.sumsAsWritten = options.sums_as_written;
  to_gpu.math = options.math;
  to_gpu.narrowF64 = options.narrow_f64;
  to_gpu.fuse = options.fuse;
  to_gpu.processArgs = options.process_args;
  to_gpu.sharedApart = options.shared_apart;
  to_gpu.portable = IsPortable(options.target);
  to_gpu.streams = options.one_stream ? StreamPolicy::kOne : StreamPolicy::kSeveral;
  return to_gpu;
}

absl::Status RunToLlvm(Compilation& compilation, const HostToLlvmOptions& options = {}) {
  return compilation.Run({"to llvm", [&](OpPassManager& passes) { buildHostToLlvmPipeline(passes, options); },
                          [&] { return hostToLlvmPipelineText(options); }});
}

bool HasGpuOperations(ModuleOp module) {
  auto other = [](mlir::Operation* op) {
    return mlir::WalkResult(mlir::failure(mlir::isa_and_nonnull<mlir::gpu::GPUDialect>(op->getDialect())));
  };
  return module.walk(other).wasInterrupted();
}

/// Refuses host code that nothing can call.
absl::Status CheckModule(ModuleOp module, std::string_view name, ModelStage last) {
  if (module.getBody()->empty()) return InvalidArgument(absl::StrCat(ToAbsl(name), ": the module is empty"));
  const bool host_code = last == ModelStage::kLlvm || last == ModelStage::kLlvmIr || last == ModelStage::kObject;
  const bool callable =
      llvm::any_of(module.getOps<mlir::FunctionOpInterface>(),
                   [](mlir::FunctionOpInterface function) { return function.isPublic() && !function.isExternal(); });
  if (!host_code || callable) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(name), ": the module has no public function with a body, so nothing ",
                                      "could be called: make a func.func public"));
}

class MlirModelCompiler final : public ModelCompiler {
 public:
  MlirModelCompiler() : registry_(CreateModelRegistry()) {}

  absl::StatusOr<CompiledModel> Compile(std::string_view text, std::string_view name, const ModelOptions& options,
                                        ModelStage last, const DiagnosticSink& sink) override {
    Compilation compilation(registry_, text, name, options.observer, sink);
    RETURN_IF_ERROR(compilation.Parse());
    RETURN_IF_ERROR(CheckModule(compilation.module(), name, last));
    if (options.check_functions) RETURN_IF_ERROR(options.check_functions(DescribeFunctions(compilation.module())));
    const ToGpuOptions to_gpu = ToGpu(options);
    RETURN_IF_ERROR(compilation.Run({"to gpu", [&](OpPassManager& passes) { buildToGpuPipeline(passes, to_gpu); },
                                     [&] { return toGpuPipelineText(to_gpu); }}));
    CompiledModel& result = compilation.result();
    result.functions = DescribeFunctions(compilation.module());
    for (ModelFunction& function : result.functions) function.name.insert(0, options.prefix);
    result.matmuls = CountMatmuls(compilation.module(), options.count_matmuls);
    if (last != ModelStage::kGpu) RETURN_IF_ERROR(LowerToLlvm(compilation, options, last));
    if (last == ModelStage::kLlvmIr || last == ModelStage::kObject) {
      const CodeKind kind = last == ModelStage::kObject ? CodeKind::kObject : CodeKind::kLlvmIr;
      ASSIGN_OR_RETURN(result.output, compilation.Generate(options.target.host_cpu, options.host_opt_level, kind));
    } else {
      result.output = options.bytecode ? compilation.PrintBytecode() : compilation.Print();
    }
    return std::move(result);
  }

  absl::StatusOr<CompiledModel> CompileReference(std::string_view text, std::string_view name, bool sums_as_written,
                                                 const DiagnosticSink& sink, bool zero_activation_limits) override {
    const CompileObserver none;
    Compilation compilation(registry_, text, name, none, sink);
    RETURN_IF_ERROR(compilation.Parse());
    if (HasGpuOperations(compilation.module())) {
      return InvalidArgument(
          "cannot compute a reference on the CPU for a module with gpu operations: leave out --check");
    }
    auto to_loops = [&](OpPassManager& passes) {
      passes.addPass(createNormalizeSlicesPass());
      passes.addPass(createDecomposeTensorsPass());
      if (zero_activation_limits) {  // A formula is recognised within one operation.
        passes.addPass(mlir::createConvertElementwiseToLinalgPass());
        passes.addPass(createFuseElementwisePass());
        passes.addPass(createZeroActivationLimitsPass());
      }
      passes.addPass(createBufferizeTensorsPass());
      if (!sums_as_written) passes.addPass(createWidenAccumulatorsPass({.remarks = false}));
      passes.addPass(mlir::createConvertLinalgToLoopsPass());
      passes.addPass(createMapTmTensorToGpuPass({.loops = true}));
    };
    RETURN_IF_ERROR(compilation.Run({"to loops", to_loops, nullptr}));
    CompiledModel& result = compilation.result();
    result.functions = DescribeFunctions(compilation.module());
    RETURN_IF_ERROR(RunToLlvm(compilation));
    ASSIGN_OR_RETURN(result.output, compilation.Generate(/*host_cpu=*/"", /*level=*/2, CodeKind::kObject));
    return std::move(result);
  }

 private:
  static absl::Status LowerToLlvm(Compilation& compilation, const ModelOptions& options, ModelStage last) {
    std::vector<ModuleImage> images;
    const GpuToBinaryOptions to_binary = {options.target, &images};
    RETURN_IF_ERROR(
        compilation.Run({"device code", [&](OpPassManager& passes) { buildGpuToBinaryPipeline(passes, to_binary); },
                         [&] { return gpuToBinaryPipelineText(to_binary); }}));
    compilation.result().kernels = DescribeKernels(compilation.module(), std::move(images));
    if (last == ModelStage::kBinary) return absl::OkStatus();
    return RunToLlvm(compilation, {options.prefix, options.packed_entries});
  }

  mlir::DialectRegistry registry_;
};

constexpr char kAnchor[] = "builtin.module(";

/// Returns the pipeline as one on a module.
std::string Anchored(std::string_view pipeline) {
  const absl::string_view text = absl::StripAsciiWhitespace(ToAbsl(pipeline));
  return absl::StartsWith(text, kAnchor) ? std::string(text) : absl::StrCat(kAnchor, text, ")");
}

/// Converts MLIR's message about an invalid pipeline ("name:1:COLUMN: error: what" and lines below it) to one line.
/// MLIR counts columns behind the anchor, of which `before` characters are the user's.
std::string OneLine(const std::string& errors, size_t before) {
  static const std::regex located("[^\n]*:1:([0-9]+): error: ([^\n]*)");
  std::smatch match;
  if (std::regex_search(errors, match, located)) {
    return absl::StrCat("column ", std::stoul(match[1].str()) + before, ": ", match[2].str());
  }
  return absl::StrReplaceAll(absl::StripAsciiWhitespace(errors), {{"\n", "; "}});
}

absl::StatusOr<mlir::OpPassManager> ParsePipeline(std::string_view pipeline) {
  static const bool registered = (registerEveryPass(), true);
  (void)registered;
  const std::string anchored = Anchored(pipeline);
  const bool given = absl::StartsWith(absl::StripLeadingAsciiWhitespace(ToAbsl(pipeline)), kAnchor);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  auto passes = mlir::parsePassPipeline(anchored, stream);
  if (mlir::failed(passes)) {
    return InvalidArgument(absl::StrCat("--pass-pipeline: ", OneLine(errors, given ? sizeof(kAnchor) - 1 : 0)));
  }
  if (passes->empty()) return InvalidArgument("--pass-pipeline: it names no pass; give one, such as canonicalize");
  return *std::move(passes);
}

/// Refuses operations that the pipeline left in dialects that mmtune does not compile.
absl::Status CheckDialects(mlir::ModuleOp module, const mlir::DialectRegistry& known) {
  auto check = [&](mlir::Operation* op) {
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == mlir::BuiltinDialect::getDialectNamespace() || llvm::is_contained(known.getDialectNames(), dialect))
      return mlir::WalkResult::advance();
    op->emitError() << "--pass-pipeline leaves '" << op->getName() << "', of a dialect that mmtune does not compile; "
                    << "add the pass that lowers it";
    return mlir::WalkResult::interrupt();
  };
  if (!module->walk<mlir::WalkOrder::PreOrder>(check).wasInterrupted()) return absl::OkStatus();
  return InvalidArgument("--pass-pipeline does not lower the module");
}

}  // namespace

absl::StatusOr<std::unique_ptr<ModelCompiler>> ModelCompiler::Create() { return std::make_unique<MlirModelCompiler>(); }

absl::Status CheckPassPipeline(std::string_view pipeline) { return ParsePipeline(pipeline).status(); }

absl::StatusOr<std::string> RunPassPipeline(std::string_view text, std::string_view name, std::string_view pipeline,
                                            const CompileObserver& observer,
                                            const ModelCompiler::DiagnosticSink& sink) {
  ASSIGN_OR_RETURN(mlir::OpPassManager passes, ParsePipeline(pipeline));
  Compilation compilation(everyDialect(), text, name, observer, sink);
  RETURN_IF_ERROR(compilation.Parse());
  RETURN_IF_ERROR(compilation.Run(
      {"--pass-pipeline", [&](mlir::OpPassManager& all) { all = passes; }, [&] { return Anchored(pipeline); }}));
  RETURN_IF_ERROR(CheckDialects(compilation.module(), CreateModelRegistry()));
  return compilation.PrintBytecode();
}

}  // namespace mmtune
