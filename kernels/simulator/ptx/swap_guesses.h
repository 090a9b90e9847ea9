// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loads that guess what a compare-and-swap will find:
//
//   old = *address;                                  an ordinary load
//   do {
//     expected = old;
//     old = atomicCAS(address, expected, f(expected));
//   } while (old != expected);
//
// The load races with the atomics of other threads, by the memory model of PTX, but a wrong guess does nothing else
// than to fail the first compare-and-swap. The loop is that of the CUDA programming guide, so the SIMT device reads the
// load as a relaxed atomic one, which races with ordinary writes only.
#pragma once

#include <cstddef>
#include <set>

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// Returns the indices of ordinary loads whose value reaches nothing but the operands of compare-and-swaps of the same
/// address, and comparisons with what those return.
std::set<size_t> findSwapGuesses(const Function& function);

}  // namespace mmtune::ptx
