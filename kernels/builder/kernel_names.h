// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a kernel's mbarriers, named barriers and warps, which reports of deadlocks show. They are an attribute of
// the kernel. In its PTX they are comments, which assemblers ignore, so names change no machine code.
#pragma once

#include <cstdint>
#include <string_view>

namespace mmtune {

class KernelBuilder;

/// An attribute of a kernel: an array of lines of text. A line names a range of mbarriers, named barriers or warps, as
/// in "mbarriers 51200 4 full"; simt::kNamesSuffix (simulator/abi/abi.h) documents the form.
inline constexpr char kNamesAttrName[] = "mmtune.names";
/// The beginning of the PTX comment that holds one line of that attribute: "// mmtune.name KERNEL: LINE".
inline constexpr char kNameComment[] = "// mmtune.name ";

/// Names the `count` adjacent mbarriers that begin at byte `offset` of dynamic shared memory: name[0], name[1] and so
/// on, or just `name` if `count` is 1.
void nameMbarriers(KernelBuilder& builder, int64_t offset, int64_t count, std::string_view name);
/// Names `count` named barriers of the block (bar.sync), from number `first` on: name[0], name[1] and so on, or just
/// `name` if `count` is 1.
void nameBarriers(KernelBuilder& builder, int64_t first, int64_t count, std::string_view name);
/// Gives `count` warps of each block, from number `first` on, the same name, which says what they do: "producer".
void nameWarps(KernelBuilder& builder, int64_t first, int64_t count, std::string_view name);

}  // namespace mmtune
