// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the kernels of a compiled model are the code that was measured and verified. The tuning spec has the
// schedules of tuned problems, and for each the digest of the measured code and the toolchain that compiled it. Other
// code is used only where there is an explanation, or where the user allows unverified schedules. There are two
// explanations: the code is PTX and not the machine code that was measured, or it is for the SIMT device and made for
// another processor.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_flags.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// Sets ModelKernel::why_other_code of the kernels whose code differs from the measured code, if the reason is known.
/// `own` is the toolchain that compiled the kernels for `target`. Returns FailedPrecondition, naming the problem, if
/// the schedule of a kernel is an entry of `spec`, and
/// - another toolchain measured the entry, and the code is not the measured code. Kernels of a dispatch table and those
///   of an entry without a digest cannot be compared, and so their toolchain must be `own`;
/// - or the same toolchain made other code, and nothing explains it: the entry was edited.
///
/// Toolchains are the same here if they agree in what the schedule's code depends on (Toolchain::ForFamily()).
/// With options.allow_unverified, these are no errors. Entries that --allow-other-device assigned to the target
/// (ChooseTarget()) have neither digest nor toolchain, and are not compared.
absl::Status CheckCode(const CompileOptions& options, const DeviceInfo& target, const TuningSpec& spec,
                       const Toolchain& own, std::vector<ModelKernel>* kernels);

}  // namespace mmtune
