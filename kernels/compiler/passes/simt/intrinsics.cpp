// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isZero(Value value) { return matchPattern(value, m_Zero()); }

/// Returns the registers of a lane that hold its part of a matrix: 32-bit ones, 64-bit ones for f64.
size_t fragmentRegisters(int64_t elements, NVVM::MMATypes type) {
  int64_t elementBits = type == NVVM::MMATypes::f64                                ? 64
                        : type == NVVM::MMATypes::tf32                             ? 32
                        : type == NVVM::MMATypes::s8 || type == NVVM::MMATypes::u8 ? 8
                                                                                   : 16;
  return elements * elementBits / (32 * (type == NVVM::MMATypes::f64 ? 64 : 32));
}

/// Raises mma.m16n8k16.row.col[.satfinite].<types>, with the types of D and C for f16, of A or of A and B for others.
Operation* raiseMma(LLVM::CallIntrinsicOp call, StringRef name, ImplicitLocOpBuilder& builder) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  int64_t m = 0, n = 0, k = 0;
  StringRef shape = parts[0];
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) || !shape.consume_front("n") ||
      shape.consumeInteger(10, n) || !shape.consume_front("k") || shape.getAsInteger(10, k) || parts.size() < 4 ||
      parts[1] != "row" || parts[2] != "col" || call->getNumResults() != 1)
    return nullptr;
  SmallVector<StringRef> types(llvm::drop_begin(parts, 3));
  auto overflow = NVVM::MMAIntOverflow::wrapped;
  if (types.front() == "satfinite") {
    overflow = NVVM::MMAIntOverflow::satfinite;
    types.erase(types.begin());
  }
  std::optional<NVVM::MMATypes> a, b;
  if (types.size() == 2 && types[0].starts_with("f") && types[1].starts_with("f"))
    a = b = NVVM::MMATypes::f16;
  else if (types.size() == 1 || types.size() == 2)
    a = NVVM::symbolizeMMATypes(types.front()), b = NVVM::symbolizeMMATypes(types.back());
  if (!a || !b) return nullptr;
  ValueRange args = call.getArgs();
  size_t ofA = fragmentRegisters(m * k, *a), ofB = fragmentRegisters(k * n, *b);
  if (args.size() <= ofA + ofB) return nullptr;
  bool integers = *a == NVVM::MMATypes::s8 || *a == NVVM::MMATypes::u8;
  return NVVM::MmaOp::create(builder, call->getResult(0).getType(), args.take_front(ofA), args.slice(ofA, ofB),
                             args.drop_front(ofA + ofB), ArrayRef<int64_t>{m, n, k}, std::nullopt,
                             integers ? std::optional(overflow) : std::nullopt, std::array{*a, *b},
                             std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
}

/// Raises tensor.g2s.tile.2d(shared, mbarrier, map, coordinates, mask, hint, flags of both, group).
Operation* raiseTensorLoad(ValueRange args, unsigned rank, ImplicitLocOpBuilder& builder) {
  if (args.size() != rank + 8 || !isZero(args[rank + 5]) || !isZero(args[rank + 7])) return nullptr;
  return NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(builder, args[0], args[2], args.slice(3, rank), args[1],
                                                                ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
                                                                false, NVVM::CTAGroupKindAttr(), Value());
}

/// Raises tensor.s2g.tile.2d(shared, map, coordinates, hint, its flag).
Operation* raiseTensorStore(ValueRange args, unsigned rank, ImplicitLocOpBuilder& builder) {
  if (args.size() != rank + 4) return nullptr;
  return NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(builder, args[1], args[0], args.slice(2, rank), Value(),
                                                            NVVM::TMAStoreMode::TILE, Value());
}

Operation* raiseBulk(StringRef name, ValueRange args, ImplicitLocOpBuilder& builder) {
  unsigned rank = 0;
  StringRef tensor = name;
  bool load = tensor.consume_front("tensor.g2s.tile.");
  if (load || tensor.consume_front("tensor.s2g.tile.")) {
    if (!tensor.consume_back("d") || tensor.getAsInteger(10, rank)) return nullptr;
    return load ? raiseTensorLoad(args, rank, builder) : raiseTensorStore(args, rank, builder);
  }
  if (name == "global.to.shared.cluster" && args.size() == 8 && isZero(args[6]))
    return NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, args[0], args[2], args[1], args[3], Value(),
                                                            Value());
  if (name == "shared.cta.to.global" && args.size() == 5)
    return NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(builder, args[0], args[1], args[2], Value(), Value());
  return nullptr;
}

/// Raises an intrinsic with many operands: a matrix multiplication or a bulk copy. Returns null where flags of the call
/// have no equivalent in an operation.
Operation* raiseWideIntrinsic(LLVM::CallIntrinsicOp call, ImplicitLocOpBuilder& builder) {
  StringRef name = call.getIntrin();
  if (name.consume_front("llvm.nvvm.mma.")) return raiseMma(call, name, builder);
  if (name.consume_front("llvm.nvvm.cp.async.bulk.")) return raiseBulk(name, call.getArgs(), builder);
  if (name == "llvm.nvvm.fence.proxy.async" || name.starts_with("llvm.nvvm.fence.proxy.async.shared"))
    return NVVM::FenceProxyOp::create(builder, NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
  return nullptr;
}

/// Creates the operation that is equivalent to one intrinsic.
class IntrinsicRaiser {
 public:
  explicit IntrinsicRaiser(LLVM::CallIntrinsicOp call)
      : call(call), builder(call.getLoc(), call), args(call.getArgs()), name(call.getIntrin()) {
    name.consume_front("llvm.nvvm.");
    if (call->getNumResults() == 1) result = call->getResult(0).getType();
  }

  /// Returns null if there is none.
  Operation* raise() {
    if (!call.getIntrin().starts_with("llvm.nvvm.")) return nullptr;
    for (auto group :
         {&IntrinsicRaiser::specialRegister, &IntrinsicRaiser::synchronization, &IntrinsicRaiser::barrierReduction,
          &IntrinsicRaiser::exchange, &IntrinsicRaiser::tiles, &IntrinsicRaiser::mbarrier, &IntrinsicRaiser::copy})
      if (Operation* op = (this->*group)()) return op;
    return raiseWideIntrinsic(call, builder);
  }

 private:
  template <typename Op, typename... Args>
  Operation* create(Args&&... arguments) {
    return Op::create(builder, std::forward<Args>(arguments)...);
  }
  bool is(StringRef text, size_t operands) const { return name == text && args.size() == operands; }
  /// True for `name` and `name.shared` with so many operands.
  bool isOnBarrier(StringRef text, size_t operands) const {
    StringRef base = name;
    base.consume_back(".shared");
    return base == text && args.size() == operands;
  }

  Operation* specialRegister() {
    if (!name.starts_with("read.ptx.sreg.") || !args.empty() || !result) return nullptr;
    OperationState state(call.getLoc(), ("nvvm." + name).str());
    if (!state.name.isRegistered()) return nullptr;
    state.addTypes(result);
    return builder.create(state);
  }

  Operation* synchronization() {
    Value none;
    if (is("barrier0", 0)) return create<NVVM::Barrier0Op>();
    if (is("barrier.cta.sync.aligned.all", 1) || is("barrier.cta.sync.all", 1)) return create<NVVM::BarrierOp>(args[0]);
    if (is("barrier.cta.sync.aligned.count", 2) || is("barrier.cta.sync.count", 2))
      return create<NVVM::BarrierOp>(TypeRange(), args[0], args[1], NVVM::BarrierReductionAttr(), none);
    if (is("barrier.cta.arrive.aligned.count", 2) || is("barrier.cta.arrive.count", 2))
      return create<NVVM::BarrierArriveOp>(args[0], args[1]);
    if (is("bar.warp.sync", 1)) return create<NVVM::SyncWarpOp>(args[0]);
    if (is("membar.cta", 0) || is("membar.gl", 0) || is("membar.sys", 0))
      return create<NVVM::MembarOp>(NVVM::MemScopeKind::SYS);
    if (is("fence.mbarrier_init.release.cluster", 0)) return create<NVVM::FenceMbarrierInitOp>();
    if (is("nanosleep", 1)) return create<NVVM::NanosleepOp>(args[0]);
    if (is("exit", 0)) return create<NVVM::Exit>();
    if (is("wgmma.fence.sync.aligned", 0)) return create<NVVM::WgmmaFenceAlignedOp>();
    if (is("wgmma.commit_group.sync.aligned", 0)) return create<NVVM::WgmmaGroupSyncAlignedOp>();
    return nullptr;
  }

  /// Raises barrier.cta.red.{popc,and,or}[.aligned].{all,count}, which reduces a predicate to a predicate or a count.
  Operation* barrierReduction() {
    StringRef rest = name;
    if (!rest.consume_front("barrier.cta.red.")) return nullptr;
    auto [combination, form] = rest.split('.');
    form.consume_front("aligned.");
    std::optional<NVVM::BarrierReduction> kind = NVVM::symbolizeBarrierReduction(combination);
    bool counted = form == "count";
    if (!kind || !(counted || form == "all") || args.size() != (counted ? 3u : 2u)) return nullptr;
    Type word = builder.getI32Type();
    Value predicate = LLVM::ZExtOp::create(builder, word, args.back());
    Value threads = counted ? args[1] : Value();
    auto attr = NVVM::BarrierReductionAttr::get(builder.getContext(), *kind);
    auto barrier = NVVM::BarrierOp::create(builder, word, args[0], threads, attr, predicate);
    if (result == word) return barrier;
    Value zero = LLVM::ConstantOp::create(builder, word, 0);
    return create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, barrier.getRes(), zero);
  }

  Operation* exchange() {
    StringRef rest = name;
    if (rest.consume_front("shfl.sync.") && args.size() == 4) {
      auto [mode, type] = rest.split('.');
      std::optional<NVVM::ShflKind> kind = NVVM::symbolizeShflKind(mode);
      UnitAttr isValid = type.ends_with("p") ? builder.getUnitAttr() : UnitAttr();
      return kind ? create<NVVM::ShflOp>(result, args[0], args[1], args[2], args[3], *kind, isValid) : nullptr;
    }
    if (rest.consume_front("vote.") && rest.consume_back(".sync") && args.size() == 2) {
      std::optional<NVVM::VoteSyncKind> kind = NVVM::symbolizeVoteSyncKind(rest);
      return kind ? create<NVVM::VoteSyncOp>(result, args[0], args[1], *kind) : nullptr;
    }
    rest = name;
    if (rest.consume_front("redux.sync.") && args.size() == 2) {
      bool nan = rest.consume_back(".NaN"), absolute = rest.consume_back(".abs");
      std::optional<NVVM::ReduxKind> kind = NVVM::symbolizeReduxKind(rest);
      return kind ? create<NVVM::ReduxOp>(result, args[0], *kind, args[1], absolute, nan) : nullptr;
    }
    rest = name;
    if (rest.consume_front("match.") && args.size() == 2) {
      std::optional<NVVM::MatchSyncKind> kind =
          NVVM::symbolizeMatchSyncKind(rest.take_until([](char c) { return c == '.'; }));
      return kind ? create<NVVM::MatchSyncOp>(result, args[0], args[1], *kind) : nullptr;
    }
    return nullptr;
  }

  /// Raises {ld,st}matrix.sync.aligned.m8n8.x4[.trans].b16.
  Operation* tiles() {
    StringRef rest = name.substr(2);
    bool load = name.starts_with("ld"), store = name.starts_with("st");
    unsigned count = 0;
    if (!(load || store) || !rest.consume_front("matrix.sync.aligned.m8n8.x") || rest.consumeInteger(10, count) ||
        !rest.contains(".b16"))
      return nullptr;
    auto layout = rest.starts_with(".trans") ? NVVM::MMALayout::col : NVVM::MMALayout::row;
    auto shape = NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8);
    auto type = NVVM::LdStMatrixEltType::B16;
    if (load && args.size() == 1) return create<NVVM::LdMatrixOp>(result, args[0], count, layout, shape, type);
    if (store && args.size() == count + 1)
      return create<NVVM::StMatrixOp>(args[0], args.drop_front(), layout, shape, type);
    return nullptr;
  }

  Operation* mbarrier() {
    Value none;
    if (isOnBarrier("mbarrier.init", 2)) return create<NVVM::MBarrierInitOp>(args[0], args[1], none);
    if (isOnBarrier("mbarrier.inval", 1)) return create<NVVM::MBarrierInvalOp>(args[0]);
    if (isOnBarrier("mbarrier.arrive", 1)) return create<NVVM::MBarrierArriveOp>(result, args[0], none);
    if (isOnBarrier("mbarrier.arrive.noComplete", 2))
      return create<NVVM::MBarrierArriveNocompleteOp>(result, args[0], args[1]);
    if (isOnBarrier("mbarrier.arrive.drop", 1)) return create<NVVM::MBarrierArriveDropOp>(result, args[0], none);
    if (isOnBarrier("mbarrier.test.wait", 2)) return create<NVVM::MBarrierTestWaitOp>(result, args[0], args[1]);
    if (isOnBarrier("cp.async.mbarrier.arrive", 1)) return create<NVVM::CpAsyncMBarrierArriveOp>(args[0], false);
    if (isOnBarrier("cp.async.mbarrier.arrive.noinc", 1)) return create<NVVM::CpAsyncMBarrierArriveOp>(args[0], true);
    return nullptr;
  }

  Operation* copy() {
    if (is("cp.async.commit.group", 0)) return create<NVVM::CpAsyncCommitGroupOp>();
    if (is("cp.async.bulk.commit.group", 0)) return create<NVVM::CpAsyncBulkCommitGroupOp>();
    APInt groups;
    if (args.size() == 1 && matchPattern(args[0], m_ConstantInt(&groups))) {
      auto count = static_cast<uint32_t>(groups.getZExtValue());
      if (name == "cp.async.wait.group") return create<NVVM::CpAsyncWaitGroupOp>(count);
      if (name == "wgmma.wait_group.sync.aligned") return create<NVVM::WgmmaWaitGroupSyncOp>(count);
      if (name == "cp.async.bulk.wait.group" || name == "cp.async.bulk.wait.group.read")
        return create<NVVM::CpAsyncBulkWaitGroupOp>(count,
                                                    name.ends_with(".read") ? builder.getUnitAttr() : UnitAttr());
    }
    // cp.async.{ca,cg}.shared.global.{4,8,16}[.s]
    StringRef rest = name;
    bool partial = rest.consume_back(".s");
    unsigned bytes = 0;
    if (!(rest.consume_front("cp.async.ca.") || rest.consume_front("cp.async.cg.")) ||
        !rest.consume_front("shared.global.") || rest.getAsInteger(10, bytes) || args.size() != (partial ? 3u : 2u))
      return nullptr;
    auto cache = name.starts_with("cp.async.ca") ? NVVM::LoadCacheModifierKind::CA : NVVM::LoadCacheModifierKind::CG;
    return create<NVVM::CpAsyncOp>(args[0], args[1], bytes, cache, partial ? args[2] : Value());
  }

  LLVM::CallIntrinsicOp call;
  ImplicitLocOpBuilder builder;
  ValueRange args;
  StringRef name;
  Type result;
};

}  // namespace

void raiseIntrinsics(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::CallIntrinsicOp> calls;
  function.getBody().walk([&](LLVM::CallIntrinsicOp call) { calls.push_back(call); });
  for (LLVM::CallIntrinsicOp call : calls)
    if (Operation* op = IntrinsicRaiser(call).raise()) {
      call->replaceAllUsesWith(op->getResults());
      call.erase();
    }
}

}  // namespace mmtune
