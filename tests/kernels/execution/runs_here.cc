// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// runs_here CPU: exit code 0 when this machine can run code for that processor, else 77, with the reason.
#include <cstdio>
#include <string>

#include "kernels/compiler/codegen/llvm_codegen.h"

int main(int argc, char** argv) {
  const absl::Status status = mmtune::checkRunsHere(argc == 2 ? argv[1] : "no processor");
  if (status.ok()) return 0;
  std::printf("%s\n", std::string(status.message()).c_str());
  return absl::IsFailedPrecondition(status) ? 77 : 1;
}
