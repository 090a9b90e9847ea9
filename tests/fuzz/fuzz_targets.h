// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parsers that read what others wrote, as functions of libFuzzer. README.md says how they are run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// A parser and the promises that it must keep for any input. `run` ends the process by a signal if one is broken.
struct FuzzTarget {
  std::string_view name;  ///< Also the name of its folder in corpus/.
  void (*run)(std::string_view input);
};

/// Returns all targets.
const std::vector<FuzzTarget>& FuzzTargets();

/// Ends the process with a message unless a promise holds.
void Promise(bool holds, std::string_view what);

// Each reads the input as:
void FuzzJsonl(std::string_view input);       ///< Lines of `tune records import`.
void FuzzTuningSpec(std::string_view input);  ///< A tuning spec.
void FuzzConfig(std::string_view input);      ///< A configuration file.
void FuzzLockFile(std::string_view input);    ///< The lock file of a log.
void FuzzSchedule(std::string_view input);    ///< Schedules, shapes, epilogues and device classes of a command line.
void FuzzLandscape(std::string_view input);   ///< A CSV table or a cache of Kernel Tuner.
void FuzzCompileOptions(std::string_view input);  ///< The arguments of mmtune-compile, one a line.
void FuzzPtx(std::string_view input);             ///< A PTX module.
void FuzzCertificates(std::string_view input);    ///< PEM texts, identities and a list of revoked serials.
/// Calls of workers, clients and admins: for each a byte that chooses the method, two with the length of the request,
/// the low one first, and the request.
void FuzzService(std::string_view input);

}  // namespace mmtune
