// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that describe the thread and its launch.
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
    {"%clusterid.x", read<NVVM::ClusterIdXOp>},
    {"%clusterid.y", read<NVVM::ClusterIdYOp>},
    {"%clusterid.z", read<NVVM::ClusterIdZOp>},
    {"%nclusterid.x", read<NVVM::ClusterDimXOp>},
    {"%nclusterid.y", read<NVVM::ClusterDimYOp>},
    {"%nclusterid.z", read<NVVM::ClusterDimZOp>},
    {"%cluster_ctaid.x", read<NVVM::BlockInClusterIdXOp>},
    {"%cluster_ctaid.y", read<NVVM::BlockInClusterIdYOp>},
    {"%cluster_ctaid.z", read<NVVM::BlockInClusterIdZOp>},
    {"%cluster_nctaid.x", read<NVVM::ClusterDimBlocksXOp>},
    {"%cluster_nctaid.y", read<NVVM::ClusterDimBlocksYOp>},
    {"%cluster_nctaid.z", read<NVVM::ClusterDimBlocksZOp>},
    {"%cluster_ctarank", read<NVVM::ClusterId>},
    {"%cluster_nctarank", read<NVVM::ClusterDim>},
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
};

}  // namespace

Value specialRegister(llvm::StringRef name, ImplicitLocOpBuilder& b) {
  const Entry* entry = llvm::find_if(kRegisters, [&](const Entry& candidate) { return candidate.name == name; });
  return entry == std::end(kRegisters) ? Value() : entry->value(b);
}

}  // namespace mmtune::ptx
