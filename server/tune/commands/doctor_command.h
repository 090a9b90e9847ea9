// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune doctor`: checks whether this host can tune, and says what to do if it cannot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"
#include "server/tune/report/noise.h"
#include "server/tune/session/console.h"

namespace mmtune {

struct DoctorOptions {
  std::string log;     ///< Empty: the default.
  std::string spool;   ///< Empty: the default of a worker.
  std::string server;  ///< Empty: none is asked.
  TlsFiles tls;
  bool json = false;
};

enum class Health {
  kGood,
  kNote,  ///< Works, but is worth knowing.
  kBad,   ///< Something will fail.
};

struct Finding {
  std::string what;  ///< The thing checked: "disk".
  Health health = Health::kGood;
  std::string found;
  std::string advice;  ///< Says what to do; empty if the health is good.
};

/// Reads what `mmtune-worker --probe` printed on standard output and error.
std::vector<Finding> ProbeFindings(std::string_view output);
/// Returns the version of NVIDIA's driver, from the file of its kernel module; nothing if there is no such file.
std::vector<Finding> DriverFindings(const std::string& version_file);
/// Checks the access to NVIDIA's device files in a folder.
std::vector<Finding> DeviceFileFindings(const std::string& folder);
/// Checks that this user can write to a folder, or create it. A folder that everybody can write to is a note.
Finding FolderFinding(const std::string& what, const std::string& folder, const std::string& advice);
/// Checks the free space of the file system that holds the log.
Finding DiskFinding(const std::string& folder, int64_t free_bytes);
/// Checks whether times are noisy: the load of this host, and the timing of the best schedule of a problem, if any.
Finding NoiseFinding(const std::vector<TuningRecord>& best, const std::optional<HostLoad>& load);
/// Checks the remaining life of a certificate.
Finding CertificateFinding(const std::string& file, int64_t seconds_left);
/// Checks each authority in a file of --tls-ca.
std::vector<Finding> AuthorityFindings(const std::string& ca_pem);

/// Returns one JSON object: {"checks": [{"check": "disk", "health": "ok", "found": ..., "do": ...}, ...]}.
std::string FindingsJson(const std::vector<Finding>& findings);

/// Prints every finding. Returns kNoResult if one is bad.
absl::StatusOr<ExitCode> RunDoctorCommand(const DoctorOptions& options, const Console& console);

}  // namespace mmtune
