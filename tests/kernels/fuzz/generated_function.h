// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions and values that the generator has made.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace mmtune {

inline constexpr char kDense32[] = "memref<32xf32>";
inline constexpr char kDense4x8[] = "memref<4x8xf32>";
inline constexpr char kDynamic[] = "memref<?xf32>";
inline constexpr char kPitched4x8[] = "memref<4x8xf32, strided<[12, 1], offset: ?>>";
inline constexpr char kEverySecond[] = "memref<?xf32, strided<[2], offset: 3>>";
inline constexpr char kAny1[] = "memref<?xf32, strided<[?], offset: ?>>";
inline constexpr char kAny2[] = "memref<?x?xf32, strided<[?, ?], offset: ?>>";

/// Memory that buffers are views of.
struct Root {
  enum class Kind { kArgument, kGlobal, kStack, kHeap };
  Kind kind = Kind::kHeap;
  int argument = -1;
  bool constant = false;  ///< A global that nothing may write.
  bool freed = true;      ///< For heap memory: the program frees it, unless it returns it.
  std::string base;       ///< For heap memory: the value to free, and its type.
  std::string base_type;
};

/// A memref in scope.
struct Buffer {
  std::string name, type;
  std::vector<std::string> sizes;  ///< Each a number, or a value of type index.
  std::set<int> roots;             ///< Memory that it may be a view of.
  int origin = 0;                  ///< The same for buffers that the pass can trace to one value.
  bool opaque = false;             ///< It came out of a call or control flow.

  int rank() const { return static_cast<int>(sizes.size()); }
};

/// Who owns a result of a function: the caller, or somebody else.
struct ResultInfo {
  int fresh = -1;  ///< Results with the same number are the same memory.
  std::set<int> arguments;
  bool global = false;
};

struct FunctionInfo {
  std::string name;
  std::vector<std::string> parameters;  ///< Types of its memrefs; index, i64 and f32 follow.
  std::vector<std::string> results;     ///< Types of its memrefs; f32 follows.
  std::vector<ResultInfo> result_infos;
  std::set<int> written;             ///< Parameters that it may write.
  bool takes_one_at_a_time = false;  ///< No operation takes two buffers, so its arguments may overlap.
  bool joins = false;          ///< Some operation takes two buffers that must not overlap, for the pass or at all.
  bool mixes_globals = false;  ///< Takes a global that is no constant and another buffer where they must not overlap.
};

/// Rank of a memref type as this generator writes it.
inline int RankOf(const std::string& type) {
  if (type == kDense4x8 || type == kPitched4x8 || type == kAny2) return 2;
  return 1;
}

}  // namespace mmtune
