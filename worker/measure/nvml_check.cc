// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled where the CUDA toolkit has nvml.h: our declarations are those of it.

// The functions are called by the names that they are exported by.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include <cstddef>

#include "kernels/runtime/cuda/declarations_check.h"
#include "worker/measure/nvml.h"

// NVML 13 calls two of them deprecated, and older drivers have only those.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace mmtune::nvml {
namespace {

#define MMTUNE_CHECK(member, symbol, parameters)                                   \
  static_assert(cuda::SameSignature<Result parameters, decltype(::symbol)>::value, \
                #symbol " is declared differently in nvml.h");
MMTUNE_NVML_ENTRY_POINTS(MMTUNE_CHECK)
#undef MMTUNE_CHECK

MMTUNE_SAME(kSuccess, NVML_SUCCESS);
MMTUNE_SAME(kInsufficientSize, NVML_ERROR_INSUFFICIENT_SIZE);
MMTUNE_SAME(kClockSm, NVML_CLOCK_SM);
MMTUNE_SAME(kClockMemory, NVML_CLOCK_MEM);
MMTUNE_SAME(kTemperatureGpu, NVML_TEMPERATURE_GPU);
MMTUNE_SAME(kThrottleIdle, nvmlClocksThrottleReasonGpuIdle);
MMTUNE_SAME(kThrottleApplicationsClocks, nvmlClocksThrottleReasonApplicationsClocksSetting);
MMTUNE_SAME(kThrottleSwPowerCap, nvmlClocksThrottleReasonSwPowerCap);
MMTUNE_SAME(kThrottleHwSlowdown, nvmlClocksThrottleReasonHwSlowdown);
MMTUNE_SAME(kThrottleSyncBoost, nvmlClocksThrottleReasonSyncBoost);
MMTUNE_SAME(kThrottleSwThermal, nvmlClocksThrottleReasonSwThermalSlowdown);
MMTUNE_SAME(kThrottleHwThermal, nvmlClocksThrottleReasonHwThermalSlowdown);
MMTUNE_SAME(kThrottleHwPowerBrake, nvmlClocksThrottleReasonHwPowerBrakeSlowdown);
MMTUNE_SAME(kThrottleDisplayClocks, nvmlClocksThrottleReasonDisplayClockSetting);

static_assert(sizeof(ProcessInfo) == sizeof(nvmlProcessInfo_t));
static_assert(offsetof(ProcessInfo, used_bytes) == offsetof(nvmlProcessInfo_t, usedGpuMemory));

}  // namespace
}  // namespace mmtune::nvml
