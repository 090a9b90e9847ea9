// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile-time checks that our own declarations of a vendor's library (CUDA driver, cuBLAS) agree with the vendor's
// header. They are compiled only where that header is installed:
//
//   static_assert(SameSignature<Result(unsigned), decltype(cuInit)>::value);
//   MMTUNE_SAME(kInvalidValue, CUDA_ERROR_INVALID_VALUE);
#pragma once

#include <type_traits>

namespace mmtune::cuda {

/// True if a function call passes both types in the same way: both are pointers, or both are integers or enumerations
/// of the same size.
template <typename Ours, typename Theirs>
constexpr bool PassedAlike() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  } else {
    constexpr bool kOursIsInteger = std::is_enum_v<Ours> || std::is_integral_v<Ours>;
    constexpr bool kTheirsIsInteger = std::is_enum_v<Theirs> || std::is_integral_v<Theirs>;
    return kOursIsInteger && kTheirsIsInteger && sizeof(Ours) == sizeof(Theirs);
  }
}

/// True for two function types whose results and parameters are all PassedAlike().
template <typename Ours, typename Theirs>
struct SameSignature : std::false_type {};
template <typename OurResult, typename TheirResult, typename... Ours, typename... Theirs>
  requires(sizeof...(Ours) == sizeof...(Theirs))
struct SameSignature<OurResult(Ours...), TheirResult(Theirs...)>
    : std::bool_constant<PassedAlike<OurResult, TheirResult>() && (PassedAlike<Ours, Theirs>() && ...)> {};

}  // namespace mmtune::cuda

#define MMTUNE_SAME(ours, theirs)                                               \
  static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs), \
                #theirs " has another value in the vendor's header")
