// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/families/bank_conflicts.h"

#include <algorithm>
#include <optional>

#include "kernels/builder/host_builder.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/warp_request.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kSharedSpace = 3;
constexpr int64_t kLanes = 32;

/// Evaluates integers and addresses as one thread of block 0 has them. Pointers begin at 0, loops are in their first
/// passage.
class Thread {
 public:
  explicit Thread(int64_t x) : x_(x) {}

  /// Nothing where it depends on what memory holds, or on an operation that addresses have no need of.
  std::optional<int64_t> ValueOf(Value value) {
    if (auto known = values_.find(value); known != values_.end()) return known->second;
    std::optional<int64_t> result = evaluate(value);
    values_[value] = result;
    return result;
  }

  /// True if all conditions around an operation hold.
  bool reaches(Operation* op) {
    for (auto branch = op->getParentOfType<scf::IfOp>(); branch; branch = branch->getParentOfType<scf::IfOp>())
      if (ValueOf(branch.getCondition()).value_or(1) == 0) return false;
    return true;
  }

 private:
  std::optional<int64_t> evaluate(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop) return 0;
      return ValueOf(argument == loop.getInductionVar() ? loop.getLowerBound() : loop.getTiedLoopInit(argument)->get());
    }
    Operation* op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op)) return ValueOf(loop.getInits()[cast<OpResult>(value).getResultNumber()]);
    if (isa<NVVM::ThreadIdXOp>(op)) return x_;
    if (isa<NVVM::ThreadIdYOp, NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp, LLVM::AddressOfOp>(op)) return 0;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto integer = dyn_cast<IntegerAttr>(constant.getValue());
      return integer ? std::optional(integer.getInt()) : std::nullopt;
    }
    llvm::SmallVector<int64_t> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> known = ValueOf(operand);
      if (!known) return std::nullopt;
      operands.push_back(*known);
    }
    return compute(op, operands);
  }

  static std::optional<int64_t> compute(Operation* op, llvm::ArrayRef<int64_t> v) {
    using Result = std::optional<int64_t>;
    return llvm::TypeSwitch<Operation*, Result>(op)
        .Case([&](arith::AddIOp) { return v[0] + v[1]; })
        .Case([&](arith::SubIOp) { return v[0] - v[1]; })
        .Case([&](arith::MulIOp) { return v[0] * v[1]; })
        .Case([&](arith::DivUIOp) { return v[0] / v[1]; })
        .Case([&](arith::RemUIOp) { return v[0] % v[1]; })
        .Case([&](arith::MinSIOp) { return std::min(v[0], v[1]); })
        .Case([&](arith::XOrIOp) { return v[0] ^ v[1]; })
        .Case([&](arith::AndIOp) { return v[0] & v[1]; })
        .Case([&](arith::SelectOp) { return v[0] != 0 ? v[1] : v[2]; })
        .Case([&](arith::CmpIOp compare) -> Result {
          if (compare.getPredicate() == arith::CmpIPredicate::slt) return v[0] < v[1];
          if (compare.getPredicate() == arith::CmpIPredicate::eq) return v[0] == v[1];
          return std::nullopt;
        })
        // A value that all lanes of a warp have.
        .Case([&](NVVM::ShflOp) { return v[1]; })
        .Case<arith::ExtUIOp, LLVM::AddrSpaceCastOp>([&](Operation*) { return v[0]; })
        .Case([&](LLVM::GEPOp offset) {
          const bool dynamic = !offset.getDynamicIndices().empty();
          const int64_t index = dynamic ? v[1] : offset.getRawConstantIndices().front();
          return v[0] + index * (offset.getElemType().getIntOrFloatBitWidth() / 8);
        })
        .Default([](Operation*) -> Result { return std::nullopt; });
  }

  int64_t x_;
  llvm::DenseMap<Value, std::optional<int64_t>> values_;
};

struct Access {
  Value address;
  int64_t bytes;  ///< Bytes of a lane.
};

/// The access of an operation to shared memory, if it has one.
std::optional<Access> AccessOf(Operation* op) {
  auto in_shared = [](Value pointer, int64_t bytes) -> std::optional<Access> {
    if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() != kSharedSpace) return std::nullopt;
    return Access{pointer, bytes};
  };
  auto bytes_of = [](Type type) -> int64_t {
    auto vector = dyn_cast<VectorType>(type);
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8 * (vector ? vector.getNumElements() : 1);
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) return in_shared(load.getAddr(), bytes_of(load.getType()));
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) return in_shared(store.getAddr(), bytes_of(store.getValue().getType()));
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) return in_shared(copy.getDst(), copy.getSize());
  if (auto load = dyn_cast<NVVM::LdMatrixOp>(op)) return in_shared(load.getPtr(), 16);
  if (auto store = dyn_cast<NVVM::StMatrixOp>(op)) return in_shared(store.getPtr(), 16);
  return std::nullopt;
}

std::string NameOf(Operation* op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().str() : op->getName().getStringRef().str();
}

}  // namespace

absl::StatusOr<std::vector<SharedAccess>> SharedAccesses(const MatmulProblem& problem, const Schedule& schedule) {
  CompilerContext context(createCompilerRegistry());
  OwningOpRef<ModuleOp> container = createContainerModule(context.mlir());
  KernelBuilder builder(kernelModule(*container), /*computeCapability=*/80);
  RETURN_IF_ERROR(emitKernels(builder, problem, schedule));
  ASSIGN_OR_RETURN(const LaunchPlan plan, MakeLaunchPlan(problem, schedule));
  const auto launch = std::ranges::find(plan.steps, PlanStep::Kind::kLaunch, &PlanStep::kind);
  auto kernel = kernelModule(*container).lookupSymbol<LLVM::LLVMFuncOp>(launch->kernel);

  std::vector<Thread> threads;
  for (int64_t x = 0; x < launch->block[0]; ++x) threads.emplace_back(x);
  std::vector<SharedAccess> accesses;
  std::string unknown;
  kernel.walk([&](Operation* op) {
    const std::optional<Access> access = AccessOf(op);
    if (!access) return;
    SharedAccess result{NameOf(op)};
    for (size_t first = 0; first < threads.size(); first += kLanes) {
      WarpRequest request;
      request.bytes = static_cast<uint32_t>(access->bytes);
      for (size_t lane = 0; lane < kLanes && first + lane < threads.size(); ++lane) {
        Thread& thread = threads[first + lane];
        if (!thread.reaches(op)) continue;
        const std::optional<int64_t> address = thread.ValueOf(access->address);
        if (!address) unknown = result.name;
        request.address[lane] = static_cast<uint64_t>(address.value_or(0));
        request.lanes |= 1u << lane;
      }
      result.ways = std::max(result.ways, static_cast<int>(CostInShared(request).ways));
    }
    accesses.push_back(result);
  });
  if (!unknown.empty()) return Internal("the addresses of '" + unknown + "' depend on what memory holds");
  return accesses;
}

}  // namespace mmtune
