// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a processor fault in a kernel (a wild access, a stack overflow, an integer division by zero) into a failure of
// the launch.
#pragma once

namespace mmtune::simt {

class Block;

/// Installs the process's handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL; later calls do nothing. Signals that no kernel
/// caused go to the handler that was there before.
void InstallFaultHandler();

/// While it lives, faults of this OS thread on a fiber of `block` are reported to it. Does not nest.
class FaultScope {
 public:
  explicit FaultScope(Block* block);
  ~FaultScope();
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;
};

}  // namespace mmtune::simt
