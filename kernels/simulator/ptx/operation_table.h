// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of operations: every instruction of PTX that the SIMT device supports, with its modifiers and types, and
// its lowering.
//
// An entry has the form that an opcode must have, as the PTX ISA writes it:
//
//     mul.{lo,hi,wide}.{u16,s16,u32,s32}       one word of each pair of braces
//     add[.{rn,rz,rm,rp}][.ftz][.sat].f32      brackets: optional
//     mma_async.m64n*k16                       a star: any digits
//
// An instruction that matches no form is refused. An entry's lowering sees which words the opcode has
// (InstructionEmitter::has) and which of them are types, in order.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mmtune::ptx {

class InstructionEmitter;

struct Operation {
  llvm::StringLiteral form;
  void (*lower)(InstructionEmitter&);
};

// Each of these functions returns a part of the table. The file that defines it also has the lowerings.
llvm::ArrayRef<Operation> controlOperations();     ///< Branches, calls, barriers of blocks, fences.
llvm::ArrayRef<Operation> integerOperations();     ///< Integer arithmetic.
llvm::ArrayRef<Operation> bitOperations();         ///< Logic, shifts, fields, counts.
llvm::ArrayRef<Operation> comparisonOperations();  ///< Comparisons, selections and moves of all types.
llvm::ArrayRef<Operation> floatOperations();       ///< Floating-point arithmetic.
llvm::ArrayRef<Operation> conversionOperations();  ///< cvt.
llvm::ArrayRef<Operation> memoryOperations();      ///< Loads, stores, atomics, addresses.
llvm::ArrayRef<Operation> warpOperations();        ///< Shuffles, votes, matrices.
llvm::ArrayRef<Operation> wmmaOperations();        ///< wmma.
llvm::ArrayRef<Operation> asyncOperations();       ///< Asynchronous copies and mbarriers.

/// Returns all entries of the table.
llvm::ArrayRef<const Operation*> allOperations();

/// Returns the entry for an opcode, which is split into its words (`parts`). If there is none, returns null and sets
/// `why` to an error message, which lists the forms that the instruction has.
const Operation* findOperation(llvm::ArrayRef<llvm::StringRef> parts, std::string& why);

}  // namespace mmtune::ptx
