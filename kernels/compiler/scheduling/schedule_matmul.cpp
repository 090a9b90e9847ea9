// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/schedule_matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "kernels/builder/host_builder.h"
#include "kernels/compiler/codegen/device_image.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/scheduling/matmul_fusion.h"
#include "kernels/compiler/scheduling/schedule_choice.h"
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/common/registry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/json/tuning_spec.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_SCHEDULEMATMULPASS
#include "kernels/compiler/scheduling/Passes.h.inc"

namespace {

Value constant(ImplicitLocOpBuilder& builder, int64_t value) { return arith::ConstantIndexOp::create(builder, value); }

Value multiply(ImplicitLocOpBuilder& builder, Value x, Value y) { return builder.createOrFold<arith::MulIOp>(x, y); }

/// Returns the product of dimensions [first, end).
Value extentOf(ImplicitLocOpBuilder& builder, Value buffer, int64_t first, int64_t end) {
  Value extent = constant(builder, 1);
  for (int64_t dim = first; dim < end; ++dim)
    extent = multiply(builder, extent, builder.createOrFold<memref::DimOp>(buffer, dim));
  return extent;
}

/// Emits the grid size, one block per tile of C and whole clusters, and the number of rows, for sizes known at run time
/// only. The grid is empty without rows or matrices, and nothing is launched. For more rows than a kernel counts it is
/// too large for every device, so that the launch fails. The grid of a line of a dispatch table is empty for other
/// numbers of rows: each line has a launch, of which one launches something.
RunTimeLaunch launchAtRunTime(OpBuilder& outer, Location loc, const FusedMatmul& matmul,
                              const ScheduleGeometry& geometry, const std::optional<RowRange>& range) {
  if (!matmul.sizes.any()) return {};
  // The tile of a cluster.
  const int64_t tileM = geometry.tile.m * geometry.clusterM, tileN = geometry.tile.n * geometry.clusterN;
  ImplicitLocOpBuilder builder(loc, outer);
  const int64_t rank = cast<MemRefType>(matmul.c.getType()).getRank();
  Value matrices = extentOf(builder, matmul.c, 0, matmul.batchDims);
  Value rows = extentOf(builder, matmul.c, matmul.batchDims, rank - matmul.columnDims);
  Value covered = builder.createOrFold<arith::AddIOp>(rows, constant(builder, tileM - 1));
  Value tiles = builder.createOrFold<arith::DivUIOp>(covered, constant(builder, tileM));
  const int64_t blocksOfRow = CeilDiv(matmul.problem.n, tileN) * geometry.clusterM * geometry.clusterN;
  tiles = multiply(builder, tiles, constant(builder, blocksOfRow));
  Value counted =
      builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, rows, constant(builder, kMaxCoordinate - tileM));
  tiles = builder.createOrFold<arith::SelectOp>(counted, tiles, constant(builder, kMaxGridX + 1));
  RunTimeLaunch launch{multiply(builder, matrices, tiles), Value()};
  auto unless = [&](arith::CmpIPredicate isOutside, int64_t bound) {
    Value outside = arith::CmpIOp::create(builder, isOutside, rows, constant(builder, bound));
    launch.blocks = arith::SelectOp::create(builder, outside, constant(builder, 0), launch.blocks);
  };
  if (range && range->from > 0) unless(arith::CmpIPredicate::ult, range->from);
  if (range && range->to < std::numeric_limits<int64_t>::max()) unless(arith::CmpIPredicate::ugt, range->to);
  if (matmul.sizes.rows) launch.rows = builder.createOrFold<arith::IndexCastOp>(builder.getI32Type(), rows);
  return launch;
}

/// Returns the number that divides every possible product of these sizes.
int64_t stepOf(ArrayRef<int64_t> sizes) {
  int64_t step = 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size)) step *= size;
  return step;
}

ArrayRef<int64_t> shapeOfC(const FusedMatmul& matmul) { return cast<MemRefType>(matmul.c.getType()).getShape(); }

/// Returns the number that divides every possible number of rows.
int64_t rowsStepOf(const FusedMatmul& matmul) {
  return stepOf(shapeOfC(matmul).drop_front(matmul.batchDims).drop_back(matmul.columnDims));
}

/// Identifies a problem with its sizes at run time, the step of its rows (kRowsStepAttrName), and its layout.
std::string keyOf(const FusedMatmul& matmul) {
  return absl::StrCat(matmul.problem.CanonicalJson(), TextWithSizes(matmul.problem, matmul.sizes), " ",
                      matmul.sizes.rows ? rowsStepOf(matmul) : 0, " ", matmul.layout.Text());
}

/// Describes the problem to users, with what is not dense about it.
std::string textOf(const FusedMatmul& matmul) {
  return absl::StrCat(TextWithSizes(matmul.problem, matmul.sizes), matmul.layout.any() ? " " : "",
                      matmul.layout.Text());
}

/// Caches the chooser's answers: a model has a problem once per layer, and finding a default schedule is slow.
class ChoiceCache {
 public:
  explicit ChoiceCache(const ScheduleChooser& chooser) : chooser(chooser) {}

  const absl::StatusOr<ScheduleChoice>& of(const FusedMatmul& matmul) {
    auto [known, isNew] = choices.try_emplace(keyOf(matmul), absl::UnknownError(""));
    if (isNew) known->second = chooser.choose(matmul.problem, matmul.sizes, matmul.layout);
    return known->second;
  }

  /// Returns the lines of the problem's dispatch table; empty if it has none.
  const absl::StatusOr<std::vector<DispatchLine>>& tableOf(const FusedMatmul& matmul) {
    auto [known, isNew] = tables.try_emplace(keyOf(matmul), std::vector<DispatchLine>());
    if (isNew) known->second = chooser.chooseByRows(matmul.problem, matmul.sizes);
    return known->second;
  }

 private:
  const ScheduleChooser& chooser;
  std::map<std::string, absl::StatusOr<std::vector<DispatchLine>>> tables;
  std::map<std::string, absl::StatusOr<ScheduleChoice>> choices;
};

/// Owns the gpu.modules of a module, one for each problem and schedule.
class KernelModules {
 public:
  KernelModules(ModuleOp module, const DeviceInfo& device) : module(module), device(device), symbols(module) {}

  /// Returns the module with the kernels of a choice, created at the first call.
  absl::StatusOr<gpu::GPUModuleOp> get(const FusedMatmul& matmul, const ScheduleChoice& choice) {
    gpu::GPUModuleOp& kernels = modules[keyOf(matmul) + choice.schedule.CanonicalJson()];
    if (!kernels) {
      ASSIGN_OR_RETURN(kernels, create(matmul, choice));
    }
    return kernels;
  }

  /// Records the lines of a dispatch table in the modules of their kernels, which get() returned.
  void noteRows(const FusedMatmul& matmul, const std::vector<DispatchLine>& lines) {
    std::map<std::string, SmallVector<int64_t>> rows;  // by key
    for (const DispatchLine& line : lines)
      rows[keyOf(matmul) + line.choice.schedule.CanonicalJson()].append({line.rows.from, line.rows.to});
    for (const auto& [key, ranges] : rows)
      modules[key]->setAttr(kRowsAttrName, DenseI64ArrayAttr::get(module.getContext(), ranges));
  }

 private:
  /// Returns the largest alignment in bytes that every operand has; 0 if unlimited.
  static int64_t alignmentOf(const FusedMatmul& matmul) {
    const int64_t bytes = DataTypeBytes(matmul.problem.dtype), bytesOfC = DataTypeBytes(matmul.problem.TypeOfC());
    const MatmulLayout& layout = matmul.layout;
    return std::gcd(std::gcd(layout.a.alignment * bytes, layout.b.alignment * bytes), layout.c.alignment * bytesOfC);
  }

  absl::StatusOr<gpu::GPUModuleOp> create(const FusedMatmul& matmul, const ScheduleChoice& choice) {
    const MatmulProblem& problem = matmul.problem;
    OpBuilder builder(module.getContext());
    std::string shape = problem.ShapeText();
    if (matmul.sizes.rows) shape.replace(0, shape.find('x'), "M");
    std::string name = absl::StrCat("matmul_", shape, "_", modules.size() - 1);
    auto kernels = gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), name);
    setAttributes(kernels, matmul, choice);
    ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(choice.schedule.family));
    setArchitecture(kernels, family->Architecture(device), device.arch);
    KernelBuilder kernelBuilder(kernels, device.ComputeCapability());
    if (absl::Status status = emitKernels(kernelBuilder, problem, choice.schedule, matmul.sizes, matmul.layout);
        !status.ok()) {
      kernels.erase();
      return status;
    }
    // A parameter that a kernel only writes is its result, which it overwrites completely.
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
      for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
        if (kernel.getArgAttr(i, LLVM::LLVMDialect::getWriteOnlyAttrName()))
          kernel.setArgAttr(i, kOverwritesAttrName, builder.getUnitAttr());
        if (!isa<LLVM::LLVMPointerType>(kernel.getArgument(i).getType())) continue;
        kernel.setArgAttr(i, kKnowsStridesAttrName, builder.getUnitAttr());
        if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName())) continue;  // The map has its own alignment.
        auto aligned = kernel.getArgAttrOfType<IntegerAttr>(i, LLVM::LLVMDialect::getAlignAttrName());
        const int64_t bytes = std::gcd(aligned ? aligned.getInt() : 1, alignmentOf(matmul));
        kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(bytes));
      }
    symbols.insert(kernels);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    return kernels;
  }

  static void setAttributes(gpu::GPUModuleOp kernels, const FusedMatmul& matmul, const ScheduleChoice& choice) {
    Builder builder(kernels.getContext());
    auto set = [&](StringRef name, std::string_view text) {
      kernels->setAttr(name, builder.getStringAttr(StringRef(text.data(), text.size())));
    };
    set(kProblemAttrName, textOf(matmul));
    const bool both = matmul.sizes.batch && matmul.sizes.rows;
    if (!both) set(kTunedAsAttrName, matmul.problem.CanonicalJson());
    if (matmul.sizes.rows) kernels->setAttr(kRowsStepAttrName, builder.getI64IntegerAttr(rowsStepOf(matmul)));
    if (matmul.sizes.batch) {
      const int64_t step = stepOf(shapeOfC(matmul).take_front(matmul.batchDims));
      kernels->setAttr(kBatchStepAttrName, builder.getI64IntegerAttr(step));
    }
    set(kScheduleAttrName, choice.schedule.Text());
    std::string source(sourceName(choice.source));
    set(kSourceAttrName, choice.verified ? source : source + ", unverified");
    if (!choice.codeDigest.empty()) set(kDigestAttrName, choice.codeDigest);
  }

  ModuleOp module;
  const DeviceInfo& device;
  SymbolTable symbols;
  std::map<std::string, gpu::GPUModuleOp> modules;
};

std::string describe(const FusedMatmul& matmul, const ScheduleChoice& choice) {
  const MatmulProblem& problem = matmul.problem;
  std::string text = absl::StrCat("no tuned schedule for ", textOf(matmul));
  if (!choice.rejected.empty()) absl::StrAppend(&text, " that is valid (", choice.rejected, ")");
  if (choice.nearest)
    absl::StrAppend(&text, "; uses that of ", choice.nearest->Text());
  else
    absl::StrAppend(&text, "; uses a default one");
  int64_t loss = std::llround(100 * choice.expectedLoss);
  absl::StrAppend(&text, ": ", choice.schedule.Text(), "; expected loss: ", loss, "%", choice.nearest ? "" : " or more",
                  " (", choice.fit, ")");
  if (matmul.sizes.any()) absl::StrAppend(&text, ", were it ", problem.Text());
  return text;
}

/// Replaces one matmul and the operations fused into it. Changes nothing if it fails.
class MatmulRewriter {
 public:
  MatmulRewriter(const Matmul& matmul, MathMode mode, const BufferEffects& effects, ChoiceCache& choices,
                 KernelModules& modules)
      : matmul(matmul), mode(mode), effects(effects), choices(choices), modules(modules) {}

  absl::Status run() {
    // A narrow type that only the last-resort family multiplies here is multiplied as f32. No kernel multiplies i32.
    if (std::optional<ExtendedMatmul> narrow = withoutExtensions(matmul, effects))
      if (absl::Status status = schedule(*narrow, /*orLastResort=*/!matmul.problem.Validate().ok());
          status.ok() || absl::IsFailedPrecondition(status))
        return status;
    if (mode != MathMode::kIeee && matmul.problem.dtype == DataType::kF32) {
      Matmul onTensorCores = matmul;
      onTensorCores.problem.math = mode;
      absl::Status status = schedule({onTensorCores, {}}, /*orLastResort=*/false);
      if (status.ok() || absl::IsFailedPrecondition(status)) return status;
      matmul.op.emitRemark() << "the matmul is computed in f32 (math ieee): this device has no kernel for it in math "
                             << std::string(MathModeName(mode));
    }
    return schedule({matmul, {}}, /*orLastResort=*/true);
  }

 private:
  /// Returns NotFound if only a last-resort family has a schedule, unless `orLastResort`.
  absl::Status schedule(const ExtendedMatmul& from, bool orLastResort) {
    std::optional<FusedMatmul> whole = fuseEpilogue(from, effects);
    if (!whole) return InvalidArgument("it adds to the old contents of its output, which is not dense");
    FusedMatmul& fused = *whole;
    RETURN_IF_ERROR(fused.problem.Validate());
    ASSIGN_OR_RETURN(const std::vector<DispatchLine> table, choices.tableOf(fused));
    std::vector<Launch> launches;
    for (const DispatchLine& line : table) {
      ASSIGN_OR_RETURN(launches.emplace_back(), prepare(fused, line.choice, line.rows));
    }
    modules.noteRows(fused, table);
    if (table.empty()) {
      ASSIGN_OR_RETURN(ScheduleChoice choice, choices.of(fused));
      ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(choice.schedule.family));
      if (!orLastResort && choice.source == ScheduleChoice::Source::kDefault &&
          !family->SearchedByDefault(fused.problem))
        return NotFound("only a kernel family of last resort supports " + textOf(fused));
      ASSIGN_OR_RETURN(launches.emplace_back(), prepare(fused, choice));
      if (!choice.leftOut.empty()) matmul.op.emitRemark() << choice.leftOut;
      if (choice.source != ScheduleChoice::Source::kSpec) matmul.op.emitRemark() << describe(fused, choice);
    }
    if (fused.notFused)
      fused.notFused->emitRemark() << "the operation is not fused into the matmul before it: " << fused.whyNotFused;
    if (fused.refined) fused.refined->emitRemark() << fused.note;
    launch(fused, launches);
    for (Operation* op : llvm::reverse(fused.replaced)) op->erase();
    for (Value buffer : fused.deadBuffers) eraseDead(buffer);
    return absl::OkStatus();
  }

  /// The launches of a schedule.
  struct Launch {
    LaunchPlan plan;
    ScheduleGeometry geometry;
    gpu::GPUModuleOp kernels;
    std::optional<RowRange> rows;  ///< Set for a line of a dispatch table.
  };

  /// Makes the kernels of a schedule.
  absl::StatusOr<Launch> prepare(const FusedMatmul& fused, const ScheduleChoice& choice,
                                 const std::optional<RowRange>& rows = std::nullopt) {
    Launch made;
    made.rows = rows;
    MatmulProblem problem = fused.problem;
    if (rows) problem.m = std::clamp(problem.m, std::max<int64_t>(1, rows->from), rows->to);
    ASSIGN_OR_RETURN(made.plan, MakeLaunchPlan(problem, choice.schedule));
    const bool clearsC = llvm::any_of(made.plan.steps, [](const PlanStep& step) {
      return step.kind == PlanStep::Kind::kMemset && step.buffer == PlanBuffer::kC;
    });
    if (clearsC && !cast<MemRefType>(fused.c.getType()).getLayout().isIdentity())
      return InvalidArgument("its schedule clears all of C, but C is a part of a buffer");
    ASSIGN_OR_RETURN(made.geometry, DescribeSchedule(problem, choice.schedule));
    ASSIGN_OR_RETURN(made.kernels, modules.get(fused, choice));
    return made;
  }

  void launch(const FusedMatmul& fused, const std::vector<Launch>& launches) {
    OpBuilder builder(fused.position());
    Location loc = matmul.op.getLoc();
    PlanMemRefs buffers;
    buffers[PlanBuffer::kA] = fused.a;
    buffers[PlanBuffer::kB] = fused.b;
    buffers[PlanBuffer::kC] = fused.c;
    buffers[PlanBuffer::kBias] = fused.bias;
    buffers[PlanBuffer::kAddend] = fused.addend;
    Value oldContents;
    if (fused.addend == fused.c) {
      matmul.op.emitRemark(
          "the matmul adds to the old contents of its output, which are copied first; fill the output with zeros just "
          "before to avoid the copy");
      SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, fused.c);
      oldContents = memref::AllocOp::create(builder, loc, sizes, elementTypeOf(fused.c));
      memref::CopyOp::create(builder, loc, fused.c, oldContents);
      buffers[PlanBuffer::kAddend] = oldContents;
    }
    Operation* before = fused.position()->getPrevNode();
    for (const Launch& made : launches) {
      gpu::GPUModuleOp kernels = made.kernels;
      RunTimeLaunch atRunTime = launchAtRunTime(builder, loc, fused, made.geometry, made.rows);
      emitLaunchPlan(builder, loc, made.plan, kernels.getName(), buffers, atRunTime);
    }
    if (llvm::all_of(fused.replaced, hasValueSemantics))
      for (Operation* op = fused.position()->getPrevNode(); op != before; op = op->getPrevNode())
        if (isa<gpu::LaunchFuncOp>(op)) setValueSemantics(op);
    if (oldContents) memref::DeallocOp::create(builder, loc, oldContents);
  }

  static void eraseDead(Value buffer) {
    if (!llvm::all_of(buffer.getUsers(), [](Operation* user) { return isa<memref::DeallocOp>(user); })) return;
    for (Operation* user : llvm::make_early_inc_range(buffer.getUsers())) user->erase();
    buffer.getDefiningOp()->erase();
  }

  Matmul matmul;
  MathMode mode;  ///< Requested for f32 matmuls.
  const BufferEffects& effects;
  ChoiceCache& choices;
  KernelModules& modules;
};

struct ScheduleMatmul : impl::ScheduleMatmulPassBase<ScheduleMatmul> {
  using ScheduleMatmulPassBase::ScheduleMatmulPassBase;

  ScheduleMatmul(TuningSpec spec, const DeviceInfo& device, bool allowFallback, MathMode mode, bool isPortable)
      : chooser(std::make_shared<const ScheduleChooser>(spec, device, allowFallback,
                                                        isPortable ? PortableFamilies(device) : AllFamilies())) {
    math = std::string(MathModeName(mode));
  }

  void runOnOperation() override {
    if (absl::Status status = prepare(); !status.ok()) {
      getOperation().emitError() << std::string(status.message());
      return signalPassFailure();
    }
    // Elementwise operations are fused, and so erased.
    SmallVector<linalg::LinalgOp> ops = hostLinalgOps(getOperation());
    llvm::erase_if(ops, [](linalg::LinalgOp op) { return hasOnlyParallelLoops(op); });
    const absl::StatusOr<MathMode> mode = ParseMathMode(math.getValue());
    if (!mode.ok()) {
      getOperation().emitError() << std::string(mode.status().message());
      return signalPassFailure();
    }
    KernelModules modules(getOperation(), chooser->target());
    ChoiceCache choices(*chooser);
    CallFacts calls(getOperation());
    BufferEffects effects(calls);
    bool refused = false;
    for (linalg::LinalgOp op : ops) refused |= failed(schedule(op, *mode, effects, choices, modules));
    if (refused) signalPassFailure();
  }

 private:
  /// Leaves a matmul without a family to other passes; fails if the spec requires what is impossible.
  static LogicalResult schedule(linalg::LinalgOp op, MathMode mode, const BufferEffects& effects, ChoiceCache& choices,
                                KernelModules& modules) {
    MatmulMatch match = matchMatmul(op);
    if (match.kind == MatmulMatch::Kind::kMatmul) {
      absl::Status status = MatmulRewriter(match.matmul, mode, effects, choices, modules).run();
      if (status.ok()) return success();
      if (absl::IsFailedPrecondition(status)) return op.emitError() << std::string(status.message());
      match.kind = MatmulMatch::Kind::kUnsupported;
      match.reason = std::string(status.message());
    }
    if (match.kind == MatmulMatch::Kind::kUnsupported)
      op.emitRemark() << "the matmul is not scheduled: " << match.reason
                      << "; map-linalg-to-gpu gives it one thread for each element";
    return success();
  }

  /// Makes the chooser from the pass options, if the pass was created without one.
  absl::Status prepare() {
    if (chooser) return absl::OkStatus();
    TuningSpec entries;
    if (!spec.empty()) {
      ASSIGN_OR_RETURN(entries, readTuningSpec(spec));
    }
    ASSIGN_OR_RETURN(DeviceInfo target, ArchitectureLimits(std::string(arch)));
    ASSIGN_OR_RETURN(target.kind, ParseDeviceKind(std::string(device)));
    auto made = std::make_shared<const ScheduleChooser>(entries, target, /*allowFallback=*/false,
                                                        portable ? PortableFamilies(target) : AllFamilies());
    if (!entries.entries.empty() && made->entryCount() == 0)
      getOperation().emitWarning() << "the tuning spec '" << spec.getValue() << "' has no schedule for "
                                   << device.getValue() << " " << arch.getValue() << "; default schedules are used";
    chooser = std::move(made);
    return absl::OkStatus();
  }

  std::shared_ptr<const ScheduleChooser> chooser;
};

}  // namespace

absl::StatusOr<TuningSpec> readTuningSpec(const std::string& pathOrText) {
  if (pathOrText.starts_with('{')) return TuningSpecFromJson(pathOrText);
  const std::string& path = pathOrText;
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return InvalidArgument(absl::StrCat("the tuning spec '", path, "': ", text.status().message()));
  absl::StatusOr<TuningSpec> spec = TuningSpecFromJson(*text);
  if (!spec.ok())
    return absl::Status(spec.status().code(), absl::StrCat("the tuning spec '", path, "': ", spec.status().message()));
  return spec;
}

std::unique_ptr<Pass> createScheduleMatmulPass(TuningSpec spec, DeviceInfo device, bool allowFallback, MathMode math,
                                               bool portable) {
  return std::make_unique<ScheduleMatmul>(std::move(spec), device, allowFallback, math, portable);
}

}  // namespace mmtune
