// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a kernel's mbarriers, named barriers and warps, which reports of deadlocks show. They are an attribute of
// the kernel. In its PTX they are comments, which assemblers ignore, so names change no machine code.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// An attribute of a kernel: an array of texts, each of which is a line of simt::kNamesSuffix (simulator/abi/abi.h).
inline constexpr char kNamesAttrName[] = "mmtune.names";
/// Begins a comment of PTX with such a line. The name of the kernel, a colon and the line follow.
inline constexpr char kNameComment[] = "// mmtune.name ";

/// Names `count` mbarriers from byte `offset` of dynamic shared memory on: name[0] and so on, or `name` for one.
void nameMbarriers(KernelBuilder& builder, int64_t offset, int64_t count, llvm::StringRef name);
/// Names `count` named barriers of the block, from number `first` on, in the same way.
void nameBarriers(KernelBuilder& builder, int64_t first, int64_t count, llvm::StringRef name);
/// Says what `count` warps of each block, from number `first` on, are for.
void nameWarps(KernelBuilder& builder, int64_t first, int64_t count, llvm::StringRef name);

}  // namespace mmtune
