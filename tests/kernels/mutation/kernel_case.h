// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A correct kernel, how to run it, and what it must compute.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Operands are such that every order of summation gives the same: results are compared bit by bit, but for curved
/// steps of an epilogue, such as gelu, which approximate.
class KernelCase {
 public:
  virtual ~KernelCase() = default;

  const std::string& name() const { return name_; }
  /// A module holding one gpu.module in the LLVM, NVVM and arith dialects.
  virtual mlir::OwningOpRef<mlir::ModuleOp> module(mlir::MLIRContext& context) const = 0;
  /// The results of a run, outputs poisoned with NaN before it.
  virtual absl::StatusOr<std::vector<float>> run(Device& device, DeviceModule& module) const = 0;
  virtual const std::vector<float>& expected() const = 0;
  /// True if a correct kernel may compute `got` for `expected`.
  virtual bool IsRight(float got, float expected) const { return got == expected; }

 protected:
  explicit KernelCase(std::string name) : name_(std::move(name)) {}

 private:
  const std::string name_;
};

/// The kernels of a schedule for a problem.
std::unique_ptr<KernelCase> MakeScheduleCase(std::string name, const MatmulProblem& problem, std::string_view schedule);
/// For a problem of f32, of a shape such as "65x97x40".
std::unique_ptr<KernelCase> MakeScheduleCase(std::string name, std::string_view shape, std::string_view schedule);

}  // namespace mmtune
