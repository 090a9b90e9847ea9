// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune doctor`: whether this host can tune, and what to do where it cannot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct DoctorOptions {
  std::string log;     ///< Empty: the default.
  std::string spool;   ///< Empty: the default of a worker.
  std::string server;  ///< Empty: none is asked.
  TlsFiles tls;
};

enum class Health {
  kGood,
  kNote,  ///< Works; worth knowing.
  kBad,   ///< Something will fail.
};

struct Finding {
  std::string what;  ///< "disk"
  Health health = Health::kGood;
  std::string found;
  std::string advice;  ///< What to do; empty when the health is good.
};

/// What `mmtune-worker --probe` printed, standard output and error together.
std::vector<Finding> ProbeFindings(std::string_view output);
/// Of NVIDIA's driver, by the file in which its module says its version; none where there is no such file.
std::vector<Finding> DriverFindings(const std::string& version_file);
/// Of NVIDIA's device files in a folder; none where there are none.
std::vector<Finding> DeviceFileFindings(const std::string& folder);
/// Of a folder that somebody of this user's is to write to; it may not be there yet. Whether others may is worth a
/// note.
Finding FolderFinding(const std::string& what, const std::string& folder, const std::string& advice);
/// Of the file system that holds the log.
Finding DiskFinding(const std::string& folder, int64_t free_bytes);
/// Of a certificate that is valid for so many seconds from now.
Finding CertificateFinding(const std::string& file, int64_t seconds_left);
/// Of each authority in a file of --tls-ca.
std::vector<Finding> AuthorityFindings(const std::string& ca_pem);

/// Prints every finding; kNoResult when one is bad.
absl::StatusOr<ExitCode> RunDoctorCommand(const DoctorOptions& options, const Console& console);

}  // namespace mmtune
