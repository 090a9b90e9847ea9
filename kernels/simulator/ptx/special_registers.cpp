// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that describe the thread and its launch. A cluster is one block here, and the registers of clusters say
// that: kernels with larger ones are refused.
#include "kernels/simulator/ptx/function_lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

template <typename Register, unsigned bits = 32>
Value read(ImplicitLocOpBuilder& b) {
  return Register::create(b, b.getIntegerType(bits));
}

template <int32_t value>
Value constant(ImplicitLocOpBuilder& b) {
  return LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(value));
}

struct Entry {
  llvm::StringLiteral name;
  Value (*value)(ImplicitLocOpBuilder&);
};

constexpr Entry kRegisters[] = {
    {"%tid.x", read<NVVM::ThreadIdXOp>},
    {"%tid.y", read<NVVM::ThreadIdYOp>},
    {"%tid.z", read<NVVM::ThreadIdZOp>},
    {"%ntid.x", read<NVVM::BlockDimXOp>},
    {"%ntid.y", read<NVVM::BlockDimYOp>},
    {"%ntid.z", read<NVVM::BlockDimZOp>},
    {"%ctaid.x", read<NVVM::BlockIdXOp>},
    {"%ctaid.y", read<NVVM::BlockIdYOp>},
    {"%ctaid.z", read<NVVM::BlockIdZOp>},
    {"%nctaid.x", read<NVVM::GridDimXOp>},
    {"%nctaid.y", read<NVVM::GridDimYOp>},
    {"%nctaid.z", read<NVVM::GridDimZOp>},
    {"%clusterid.x", read<NVVM::BlockIdXOp>},
    {"%clusterid.y", read<NVVM::BlockIdYOp>},
    {"%clusterid.z", read<NVVM::BlockIdZOp>},
    {"%nclusterid.x", read<NVVM::GridDimXOp>},
    {"%nclusterid.y", read<NVVM::GridDimYOp>},
    {"%nclusterid.z", read<NVVM::GridDimZOp>},
    {"%cluster_ctaid.x", constant<0>},
    {"%cluster_ctaid.y", constant<0>},
    {"%cluster_ctaid.z", constant<0>},
    {"%cluster_nctaid.x", constant<1>},
    {"%cluster_nctaid.y", constant<1>},
    {"%cluster_nctaid.z", constant<1>},
    {"%cluster_ctarank", constant<0>},
    {"%cluster_nctarank", constant<1>},
    {"%laneid", read<NVVM::LaneIdOp>},
    {"%warpid", read<NVVM::WarpIdOp>},
    {"%nwarpid", read<NVVM::WarpDimOp>},
    {"%smid", read<NVVM::SmIdOp>},
    {"%nsmid", read<NVVM::SmDimOp>},
    {"%lanemask_eq", read<NVVM::LaneMaskEqOp>},
    {"%lanemask_lt", read<NVVM::LaneMaskLtOp>},
    {"%lanemask_le", read<NVVM::LaneMaskLeOp>},
    {"%lanemask_gt", read<NVVM::LaneMaskGtOp>},
    {"%lanemask_ge", read<NVVM::LaneMaskGeOp>},
    {"%dynamic_smem_size", read<NVVM::DynamicSmemSize>},
    {"%total_smem_size", read<NVVM::TotalSmemSize>},
    {"%clock", read<NVVM::ClockOp>},
    {"%clock64", read<NVVM::Clock64Op, 64>},
    {"%globaltimer", read<NVVM::GlobalTimerOp, 64>},
    {"%globaltimer_lo", read<NVVM::GlobalTimerLoOp>},
    {"WARP_SZ", constant<32>},
};

}  // namespace

Value specialRegister(llvm::StringRef name, ImplicitLocOpBuilder& b) {
  const Entry* entry = llvm::find_if(kRegisters, [&](const Entry& candidate) { return candidate.name == name; });
  return entry == std::end(kRegisters) ? Value() : entry->value(b);
}

}  // namespace mmtune::ptx
