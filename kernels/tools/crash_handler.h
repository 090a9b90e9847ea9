// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a process whose compiler failed: one line, and no signal.
#pragma once

namespace mmtune {

/// From now on the process ends with kExitFailed and one line on standard error where LLVM gives up, memory is used up,
/// or a signal tells of a crash (an abort, an invalid access, a stack too deep). The line names the CrashSubject.
/// Before it, the file of a CrashReproducer is written. For the main thread; once.
void InstallCrashHandler();

}  // namespace mmtune
