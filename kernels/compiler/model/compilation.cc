// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/compilation.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/compiler.h"
#include "kernels/compiler/model/module_reader.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kReproducer[] = "mlir_reproducer";  // The name that mmtune-opt --run-reproducer expects.

/// Copies bytecode, whose blobs are used in place; returns null for text.
std::unique_ptr<llvm::MemoryBuffer> CopyBytecode(std::string_view text) {
  return mlir::isBytecode(llvm::MemoryBufferRef(text, "")) ? AlignedCopy(text, "") : nullptr;
}

/// Gives operations without location, such as the body of a named operation, the location of the operation around them.
void PlaceImpliedOperations(mlir::ModuleOp module) {
  module.walk<mlir::WalkOrder::PreOrder>([](mlir::Operation* op) {
    mlir::Operation* around = op->getParentOp();
    if (mlir::isa<mlir::UnknownLoc>(op->getLoc()) && mlir::isa_and_nonnull<mlir::linalg::LinalgOp>(around)) {
      op->setLoc(around->getLoc());
    }
  });
}

/// The number of operations of a block beyond which optimization is slow: LLVM compares each store with the others. A
/// call with a thousand arguments has as many.
constexpr size_t kLongBlock = 512;

/// Disables LLVM's optimization of long functions without a loop, such as those that launch hundreds of kernels: each
/// instruction runs once per call, so that it would gain nothing.
void LeaveStraightCodeUnoptimized(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    bool is_long = false, loops = false;
    llvm::SmallPtrSet<mlir::Block*, 16> seen;
    for (mlir::Block& block : function.getBody()) {
      seen.insert(&block);
      is_long |= block.getOperations().size() >= kLongBlock;
      loops |= llvm::any_of(block.getSuccessors(), [&](mlir::Block* next) { return seen.contains(next); });
    }
    if (!is_long || loops) continue;
    function.setNoInline(true);
    function.setOptimizeNone(true);
  }
}

}  // namespace

/// Reports passes on the whole module. A pass that runs passes on parts has no name, and gets that of the last of them.
class Compilation::PassReporter : public mlir::PassInstrumentation {
 public:
  explicit PassReporter(Compilation& compilation) : compilation_(compilation) {}

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    if (!pass->getArgument().empty()) name_ = pass->getArgument();
    if (op != compilation_.module().getOperation()) return;
    ++compilation_.passes_;
    compilation_.Report(name_);
  }

 private:
  Compilation& compilation_;
  std::string name_;
};

Compilation::Compilation(const mlir::DialectRegistry& registry, std::string_view text, std::string_view name,
                         const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink)
    : name_(name),
      observer_(observer),
      bytecode_(CopyBytecode(text)),
      context_(registry, mlir::MLIRContext::Threading::DISABLED),
      handler_(sources_, &context_, name, sink) {
  context_.printOpOnDiagnostic(false);  // The source line shows it.
  // Bytecode has no source lines to quote.
  if (bytecode_ != nullptr) return;
  sources_.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(PackBooleanConstants(text), name_), llvm::SMLoc());
}

absl::Status Compilation::Parse() {
  CrashSubject subject("parse");
  module_ = ParseModule(bytecode_.get(), sources_, name_, &context_);
  Lap("parse");
  if (!module_) return InvalidArgument("the module is not valid MLIR");
  PlaceImpliedOperations(*module_);
  Report("parsed");
  return observed_;
}

absl::Status Compilation::Run(const PassStage& stage) {
  CrashSubject subject{std::string(stage.name)};
  mlir::PassManager passes(&context_, mlir::ModuleOp::getOperationName());
  stage.build(passes);
  if (observer_.before_stage) observer_.before_stage(Reproducer(stage.pipeline()));
  if (observer_.after_pass) passes.addInstrumentation(std::make_unique<PassReporter>(*this));
  const bool succeeded = mlir::succeeded(passes.run(*module_));
  Lap(stage.name);
  if (!succeeded) return FailedPrecondition(absl::StrCat("the module cannot be compiled (", stage.name, ")"));
  if (observer_.after_stage) observer_.after_stage();
  return observed_;
}

absl::StatusOr<std::string> Compilation::Generate(std::string_view host_cpu, int level, CodeKind kind) {
  CrashSubject subject("host code");
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine(host_cpu));
  LeaveStraightCodeUnoptimized(*module_);
  ASSIGN_OR_RETURN(std::string code, generateCode(*module_, *machine, level, kind));
  Lap("host code");
  return code;
}

std::string Compilation::Print() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module_->print(stream);
  return text;
}

std::string Compilation::PrintBytecode() {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  (void)mlir::writeBytecodeToFile(*module_, stream);  // It fails only for older versions.
  return bytes;
}

void Compilation::Report(std::string_view pass) {
  if (!observer_.after_pass || !observed_.ok()) return;
  std::string text = Print();
  if (text == reported_) return;
  observed_ = observer_.after_pass(passes_, pass, text);
  reported_ = std::move(text);
}

std::string Compilation::Reproducer(const std::string& pipeline) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::AsmState state(*module_);
  state.attachResourcePrinter(kReproducer, [&](mlir::Operation*, mlir::AsmResourceBuilder& builder) {
    builder.buildString("pipeline", pipeline);
    builder.buildBool("disable_threading", true);
    builder.buildBool("verify_each", true);
  });
  module_->getOperation()->print(stream, state);
  return text;
}

}  // namespace mmtune
