// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loads that guess what a compare-and-swap will find:
//
//   old = *address;                                  an ordinary load
//   do {
//     expected = old;
//     old = atomicCAS(address, expected, f(expected));
//   } while (old != expected);
//
// By the memory model of PTX, the load races with the atomics of other threads. But a wrong guess only makes the first
// compare-and-swap fail, and the CUDA programming guide recommends this loop. So the SIMT device treats the load as a
// relaxed atomic load, which races only with ordinary writes.
#pragma once

#include <cstddef>
#include <set>

#include "kernels/simulator/ptx/module.h"

namespace mmtune::ptx {

/// Returns the indices (in Function::instructions) of ordinary loads whose value is used only as an operand of
/// compare-and-swaps of the same address, or compared with their results.
std::set<size_t> findSwapGuesses(const Function& function);

}  // namespace mmtune::ptx
