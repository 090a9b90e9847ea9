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
  std::string spool;   ///< The folder in which a worker keeps results (its spool). Empty: the default.
  std::string server;  ///< Empty: no server is checked.
  TlsFiles tls;
  OutputFormat format = OutputFormat::kTable;
};

enum class Health {
  kGood,
  kNote,  ///< Works, but the user should know.
  kBad,   ///< Something will fail.
};

struct Finding {
  std::string what;  ///< The name of the check, such as "disk".
  Health health = Health::kGood;
  std::string found;
  std::string advice;  ///< Says what to do; empty if the health is good.
};

/// Parses the output of `mmtune-worker --probe` on standard output and error.
std::vector<Finding> ProbeFindings(std::string_view output);
/// Reports the version of NVIDIA's driver, as `version_file` has it, a file that the driver's kernel module provides.
/// Returns nothing if there is no such file.
std::vector<Finding> DriverFindings(const std::string& version_file);
/// Checks the access to NVIDIA's device files in a folder.
std::vector<Finding> DeviceFileFindings(const std::string& folder);
/// Checks that this user can write to a folder, or create it. The health is kNote if every user can write to it. `what`
/// and `advice` become those of the finding.
Finding FolderFinding(const std::string& what, const std::string& folder, const std::string& advice);
/// Checks the free space of the file system that holds the log.
Finding DiskFinding(const std::string& folder, int64_t free_bytes);
/// Checks if times are noisy, by the load of this host and by the timing of the best schedule of a problem. `best` may
/// be empty.
Finding NoiseFinding(const std::vector<TuningRecord>& best, const std::optional<HostLoad>& load);
/// Checks how long a certificate is still valid. `seconds_left` is negative if it has expired.
Finding CertificateFinding(const std::string& file, int64_t seconds_left);
/// Checks each authority in a file of --tls-ca.
std::vector<Finding> AuthorityFindings(const std::string& ca_pem);

/// Returns one JSON object: {"checks": [{"check": "disk", "health": "ok", "found": ..., "do": ...}, ...]}.
std::string FindingsJson(const std::vector<Finding>& findings);

/// Prints every finding. Returns kNoResult if the health of one is kBad, otherwise kOk.
absl::StatusOr<ExitCode> RunDoctorCommand(const DoctorOptions& options, const Console& console);

}  // namespace mmtune
