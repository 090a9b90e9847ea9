// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of host code that nothing lowers.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On builtin.module, at the end of the conversion to the LLVM dialect: what is left over of others
/// is an error at its place.
std::unique_ptr<mlir::Pass> createCheckHostLoweredPass();

}  // namespace mmtune
