// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of XGBoost, opened when it is wanted: xgboost/c_api.h of version 1.7 and later, by its names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// member, symbol, parameters; all of them return 0 unless they fail.
#define MMTUNE_XGBOOST_ENTRY_POINTS(X)                                                                        \
  X(CreateMatrix, XGDMatrixCreateFromDense, (const char* array, const char* config, void** matrix))           \
  X(SetFloats, XGDMatrixSetFloatInfo, (void* matrix, const char* field, const float* values, uint64_t count)) \
  X(FreeMatrix, XGDMatrixFree, (void* matrix))                                                                \
  X(CreateBooster, XGBoosterCreate, (void* const* matrices, uint64_t count, void** booster))                  \
  X(SetParameter, XGBoosterSetParam, (void* booster, const char* name, const char* value))                    \
  X(UpdateOnce, XGBoosterUpdateOneIter, (void* booster, int round, void* matrix))                             \
  X(Predict, XGBoosterPredictFromDMatrix,                                                                     \
    (void* booster, void* matrix, const char* config, const uint64_t** shape, uint64_t* dimensions,           \
     const float** out))                                                                                      \
  X(FreeBooster, XGBoosterFree, (void* booster))

/// Immutable after Open; thread-safe. Never closed: its threads' storage would not outlive it.
class XgboostLibrary {
 public:
  /// NotFound with what the loader says, and how to get the library.
  static absl::StatusOr<std::unique_ptr<const XgboostLibrary>> Open(const std::string& path);
  /// $MMTUNE_XGBOOST, or libxgboost.so of the loader's path; opened once.
  static absl::StatusOr<const XgboostLibrary*> System();

#define MMTUNE_DECLARE(member, symbol, parameters) int(*member) parameters = nullptr;
  MMTUNE_XGBOOST_ENTRY_POINTS(MMTUNE_DECLARE)  // NOLINT(readability-identifier-naming): they are functions
#undef MMTUNE_DECLARE

  /// Internal with the library's message, in one line, unless `result` is 0.
  absl::Status Check(int result) const;

 private:
  XgboostLibrary() = default;

  const char* (*last_error_)() = nullptr;
};

}  // namespace mmtune
