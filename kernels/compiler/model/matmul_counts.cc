// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/matmul_counts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

using mlir::Operation;

/// A number of times; nullopt if it is unknown. Products and sums of large numbers saturate.
using Count = std::optional<int64_t>;

Count Times(Count x, Count y) {
  if (x == 0 || y == 0) return 0;
  if (!x || !y) return std::nullopt;
  int64_t result = 0;
  return __builtin_mul_overflow(*x, *y, &result) ? INT64_MAX : result;
}

Count Plus(Count x, Count y) {
  if (!x || !y) return std::nullopt;
  int64_t result = 0;
  return __builtin_add_overflow(*x, *y, &result) ? INT64_MAX : result;
}

/// Returns how often the regions of `op` run each time that `op` does.
Count Iterations(Operation* op) {
  if (mlir::isa<mlir::scf::IfOp, mlir::scf::ExecuteRegionOp>(op)) return 1;
  if (auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op)) {
    const std::optional<mlir::APInt> trips = loop.getStaticTripCount();
    if (trips && trips->getActiveBits() < 63) return trips->getSExtValue();
    return std::nullopt;
  }
  return op->getName().getStringRef() == "memref.alloca_scope" ? Count(1) : std::nullopt;
}

class MatmulCounter {
 public:
  explicit MatmulCounter(mlir::ModuleOp module) : module_(module) {
    module.walk([&](mlir::func::CallOp call) { callers_[call.getCallee().str()].push_back(call); });
  }

  /// Returns how often one call of each public function runs `op`.
  Count RunsOf(Operation* op) {
    Count runs = 1;
    while (true) {
      // Control flow between blocks is not followed. The first block of a region runs once.
      if (op->getBlock() != &op->getParentRegion()->front()) return std::nullopt;
      Operation* parent = op->getParentOp();
      if (auto function = mlir::dyn_cast<mlir::func::FuncOp>(parent)) return Times(runs, RunsOf(function));
      runs = Times(runs, Iterations(parent));
      op = parent;
    }
  }

 private:
  Count RunsOf(mlir::func::FuncOp function) {
    const std::string name = function.getName().str();
    if (const auto known = runs_.find(name); known != runs_.end()) return known->second;
    if (!open_.insert(name).second) return std::nullopt;  // A recursion.
    Count runs = function.isPublic() ? 1 : 0;
    for (Operation* call : callers_[name]) runs = Plus(runs, RunsOf(call));
    open_.erase(name);
    return runs_[name] = runs;
  }

  mlir::ModuleOp module_;
  std::map<std::string, std::vector<Operation*>> callers_;  ///< By the name of the function that they call.
  std::map<std::string, Count> runs_;
  std::set<std::string> open_;  ///< The functions whose callers are being counted.
};

std::string Attribute(Operation* op, const char* name) {
  auto text = op->getAttrOfType<mlir::StringAttr>(name);
  return text ? text.str() : "";
}

/// Returns what describes the layout in the text of a problem: what follows the text of the dense problem.
std::string LayoutText(const std::string& text, const MatmulProblem& problem) {
  const size_t dense = problem.Text().size();
  return text.size() > dense ? text.substr(dense + 1) : "";
}

/// Launches of one kernel, in the order of the program.
using Launches = std::vector<mlir::gpu::LaunchFuncOp>;

/// Inserts calls of mgpuCountMatmul() into host code.
class RunTimeCounter {
 public:
  explicit RunTimeCounter(mlir::ModuleOp module) : module_(module) {}

  /// Counts a computation of matmul `index` at each of the launches.
  void CountAt(const Launches& launches, size_t index) {
    mlir::OpBuilder builder(module_.getContext());
    const mlir::Type i64 = builder.getI64Type();
    if (!function_) {
      builder.setInsertionPointToStart(module_.getBody());
      const auto type = mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(module_.getContext()), {i64});
      function_ = mlir::LLVM::LLVMFuncOp::create(builder, module_.getLoc(), "mgpuCountMatmul", type);
    }
    for (mlir::gpu::LaunchFuncOp launch : launches) {
      builder.setInsertionPoint(launch);
      const mlir::Value number = mlir::LLVM::ConstantOp::create(builder, launch.getLoc(), i64,
                                                                builder.getI64IntegerAttr(static_cast<int64_t>(index)));
      mlir::LLVM::CallOp::create(builder, launch.getLoc(), function_, mlir::ValueRange{number});
    }
  }

 private:
  mlir::ModuleOp module_;
  mlir::LLVM::LLVMFuncOp function_;  ///< The declaration, once it is needed.
};

}  // namespace

ModelMatmuls CountMatmuls(mlir::ModuleOp module, bool at_run_time) {
  // A matmul launches each kernel of a module at most once, or with a dispatch table once for each line that has the
  // module's schedule, so the most frequent kernel tells the number of matmuls.
  MatmulCounter counter(module);
  RunTimeCounter run_time_counter(module);
  std::map<std::string, std::map<std::string, Launches>> kernel_launches;  // by module and kernel
  module.walk([&](mlir::gpu::LaunchFuncOp launch) {
    kernel_launches[launch.getKernelModuleName().str()][launch.getKernelName().str()].push_back(launch);
  });
  ModelMatmuls found;
  std::set<int64_t> open;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal()) continue;
    for (mlir::Type type : function.getArgumentTypes()) {
      const auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
      for (int64_t i = 0; shaped && shaped.hasRank() && i < shaped.getRank(); ++i) {
        if (shaped.isDynamicDim(i)) open.insert(i);
      }
    }
  }
  for (const int64_t dimension : open) found.open_dimensions.push_back(std::to_string(dimension));
  std::map<std::pair<std::string, int64_t>, size_t> places;  // by problem and rows_step
  const auto integer = [](Operation* op, const char* name) {
    const auto value = op->getAttrOfType<mlir::IntegerAttr>(name);
    return value ? value.getInt() : int64_t{0};
  };
  for (auto kernels : module.getOps<mlir::gpu::GPUModuleOp>()) {
    const std::string text = Attribute(kernels, kProblemAttrName);
    if (text.empty()) continue;
    // The matmul of a dispatch table is counted where the table's first line has its kernels.
    const auto rows = kernels->getAttrOfType<mlir::DenseI64ArrayAttr>(kRowsAttrName);
    if (rows && rows[0] != 0) continue;
    const size_t lines = rows ? static_cast<size_t>(rows.size()) / 2 : 1;
    Count calls = 0;
    Launches launches;  // One for each matmul, of the kernel with most of them.
    for (const auto& [kernel, all] : kernel_launches[kernels.getName().str()]) {
      Launches firsts;
      Count runs = 0;
      for (size_t i = 0; i < all.size(); i += lines) {
        firsts.push_back(all[i]);
        runs = Plus(runs, counter.RunsOf(all[i]));
      }
      calls = calls && runs ? Count(std::max(*calls, *runs)) : std::nullopt;
      if (firsts.size() > launches.size()) launches = std::move(firsts);
    }
    if (calls == 0) continue;
    const std::string tuned_as = Attribute(kernels, kTunedAsAttrName);
    const absl::StatusOr<MatmulProblem> problem = ParseColumn<MatmulProblem>(tuned_as);
    const absl::StatusOr<Schedule> schedule = ParseSchedule(Attribute(kernels, kScheduleAttrName));
    if (!problem.ok() || !schedule.ok()) {
      found.dynamic.push_back(text);
      continue;
    }
    const int64_t rows_step = integer(kernels, kRowsStepAttrName), batch_step = integer(kernels, kBatchStepAttrName);
    // One schedule serves every number of matrices, whatever divides it.
    const std::string& key = batch_step > 0 ? text : tuned_as;
    const auto [place, is_new] = places.try_emplace({key, rows_step}, found.matmuls.size());
    const std::string layout = rows_step > 0 || batch_step > 0 ? "" : LayoutText(text, *problem);
    if (at_run_time) run_time_counter.CountAt(launches, place->second);
    if (is_new) {
      found.matmuls.push_back(
          {*problem, calls, layout, *schedule, Attribute(kernels, kSourceAttrName), rows_step, batch_step});
      continue;
    }
    ModelMatmul& matmul = found.matmuls[place->second];
    matmul.batch_step = std::max(matmul.batch_step, batch_step);
    matmul.calls = Plus(matmul.calls, calls);
    if (matmul.layout.empty()) matmul.layout = layout;
  }
  return found;
}

}  // namespace mmtune
