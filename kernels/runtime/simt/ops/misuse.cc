// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/ops/misuse.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune::simt {

void FailOperation(GpuThread& thread, uint32_t site, std::string what) {
  thread.site = site;
  thread.block->Fail(&thread, std::move(what));
}

std::string SharedAddress(const GpuThread& thread, const void* address) {
  const auto offset = reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(thread.shared);
  return offset < 0 ? absl::StrCat("shared-0x", absl::Hex(-offset)) : absl::StrCat("shared+0x", absl::Hex(offset));
}

}  // namespace mmtune::simt
