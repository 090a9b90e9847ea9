// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/abi/assertions.h"

#include "absl/strings/str_cat.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {

extern "C" {

void mmtune_simt_assert_fail(ThreadContext* context, const char* message, uint32_t site) {
  FailOperation(*ThreadOf(context), site, absl::StrCat("an assertion failed: ", message));
}

}  // extern "C"
}  // namespace mmtune::simt
