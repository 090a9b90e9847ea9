// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/simt_module.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/abi/assertions.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

/// Null when the object has no such table.
template <typename Entry>
const Entry* Table(LoadedObject& object, const char* symbol) {
  absl::StatusOr<void*> address = object.Lookup(symbol);
  return address.ok() ? static_cast<const Entry*>(*address) : nullptr;
}

#define SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}

/// The runtime functions that compiled kernels call (abi.h).
LoadedObject::Symbols RuntimeSymbols() {
  return {SYMBOL(mmtune_simt_access),
          SYMBOL(mmtune_simt_assert_fail),
          SYMBOL(mmtune_simt_shared_begins),
          SYMBOL(mmtune_simt_branch),
          SYMBOL(mmtune_simt_iterate),
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
          SYMBOL(mmtune_simt_wgmma_wait)};
}

#undef SYMBOL

/// True of what code generation calls in place of an instruction that a processor lacks, and of nothing else: exact or
/// correctly rounded, as the instructions are. The mathematical functions of a kernel are in its object, the same as on
/// a GPU; those of the host's library are not the ones that ship.
bool IsInPlaceOfInstruction(std::string_view symbol) {
  static constexpr std::string_view kFunctions[] = {"ceil",       "ceilf",  "floor",  "floorf",  "fma",    "fmaf",
                                                    "ldexp",      "ldexpf", "memcpy", "memmove", "memset", "nearbyint",
                                                    "nearbyintf", "rint",   "rintf",  "round",   "roundf", "roundeven",
                                                    "roundevenf", "trunc",  "truncf"};
  return symbol.starts_with("__") || std::ranges::find(kFunctions, symbol) != std::end(kFunctions);
}

}  // namespace

SimtModule::SimtModule(std::unique_ptr<LoadedObject> object) : object_(std::move(object)) {
  watch_tables_.sites = Table<Site>(*object_, kSitesSymbol);
  watch_tables_.red_zones = Table<RedZone>(*object_, kRedZonesSymbol);
  watch_tables_.variables = Table<Variable>(*object_, kVariablesSymbol);
  watch_tables_.access_widths = Table<uint32_t>(*object_, kAccessWidthsSymbol);
}

absl::StatusOr<std::unique_ptr<DeviceModule>> SimtModule::Load(std::string_view image) {
  absl::StatusOr<std::unique_ptr<LoadedObject>> object =
      LoadedObject::Load(image, RuntimeSymbols(), IsInPlaceOfInstruction);
  if (!object.ok()) return WithContext(object.status(), "LoadModule");
  return std::unique_ptr<DeviceModule>(new SimtModule(*std::move(object)));
}

absl::StatusOr<DeviceKernel*> SimtModule::GetKernel(std::string_view name) {
  if (auto it = kernels_.find(name); it != kernels_.end()) return it->second.get();
  absl::StatusOr<void*> entry = object_->Lookup(absl::StrCat(ToAbsl(name), kEntrySuffix));
  if (!entry.ok()) return WithContext(entry.status(), absl::StrCat("GetKernel: no kernel ", ToAbsl(name)));
  absl::StatusOr<void*> static_shared = object_->Lookup(absl::StrCat(ToAbsl(name), kStaticSharedSuffix));
  if (!static_shared.ok()) return WithContext(static_shared.status(), absl::StrCat("GetKernel: ", ToAbsl(name)));
  auto kernel = std::make_unique<SimtKernel>(std::string(name), reinterpret_cast<KernelEntry>(*entry),
                                             *static_cast<const uint32_t*>(*static_shared), watch_tables_);
  return kernels_.emplace(std::string(name), std::move(kernel)).first->second.get();
}

}  // namespace mmtune::simt
