// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/runtime_calls.h"

#include "kernels/runtime/simt/abi/abi.h"

namespace mmtune::simt {

#define SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}

std::vector<std::pair<std::string, void*>> RuntimeSymbols() {
  return {
      SYMBOL(mmtune_simt_access),
      SYMBOL(mmtune_simt_shared_begins),
      SYMBOL(mmtune_simt_barrier),
      SYMBOL(mmtune_simt_barrier_arrive),
      SYMBOL(mmtune_simt_barrier_reduce),
      SYMBOL(mmtune_simt_barrier_warp),
      SYMBOL(mmtune_simt_fence),
      SYMBOL(mmtune_simt_yield),
      SYMBOL(mmtune_simt_cp_async),
      SYMBOL(mmtune_simt_cp_async_commit),
      SYMBOL(mmtune_simt_cp_async_wait),
      SYMBOL(mmtune_simt_warp),
      SYMBOL(mmtune_simt_warp_batch),
      SYMBOL(mmtune_simt_cp_async_mbarrier_arrive),
      SYMBOL(mmtune_simt_mbarrier_init),
      SYMBOL(mmtune_simt_mbarrier_inval),
      SYMBOL(mmtune_simt_mbarrier_expect_tx),
      SYMBOL(mmtune_simt_mbarrier_complete_tx),
      SYMBOL(mmtune_simt_mbarrier_arrive),
      SYMBOL(mmtune_simt_mbarrier_test),
      SYMBOL(mmtune_simt_tensor_load),
      SYMBOL(mmtune_simt_tensor_store),
      SYMBOL(mmtune_simt_bulk_load),
      SYMBOL(mmtune_simt_bulk_store),
      SYMBOL(mmtune_simt_bulk_commit),
      SYMBOL(mmtune_simt_bulk_wait),
      SYMBOL(mmtune_simt_wgmma_fence),
      SYMBOL(mmtune_simt_wgmma_commit),
      SYMBOL(mmtune_simt_wgmma_wait),
  };
}

#undef SYMBOL

}  // namespace mmtune::simt
