// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may call the functions of a host module.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On builtin.module, before the host code is lowered: public functions get the C interface that
/// libraries export, and so do declarations, for what they are declared to call. Private functions
/// with a body become internal, so that neither another library nor another object can stand in for
/// them; a linkage that the author gave (`llvm.linkage`) stays.
std::unique_ptr<mlir::Pass> createSetHostLinkagePass();

}  // namespace mmtune
