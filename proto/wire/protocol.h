// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of what client, coordinator and worker say to each other.
#pragma once

#include <cstddef>

namespace mmtune {

/// The version that this program speaks. It grows when an older peer, ignoring a field that it does not know, would do
/// something other than it was asked to. 2 added batches, transposed operands and epilogues; 3 cold operands and
/// rivals; 4 the outcome `suspect`, proven_only and the storage failure in the details of a status; 5 job states as an
/// enum, the family `fma` and MeasureOptions; 6 the outcome `skipped`.
inline constexpr int kProtocol = 6;

/// Within a protocol, a server's revision grows when it learns something that a client may ask for, a field or a
/// method, and an older server would leave out or not know: a client that asks for it checks that the server's is at
/// least the one that added it (TuningClient), all others need not care. 1 added weight, priority, select,
/// device_class, cold_start and the limits in percent of jobs, labels and holds of workers; 2 the method ListJobs; 3
/// JobSpec.only; 4 JobSpec.no_compile_ahead. None is needed for what an answer shows by itself, such as the leases that
/// a report asks for.
inline constexpr int kRevision = 4;
inline constexpr int kMannersRevision = 1;
inline constexpr int kListJobsRevision = 2;
inline constexpr int kOnlyRevision = 3;
inline constexpr int kCompileAheadRevision = 4;

/// The event in the log of a worker that waits for a device held by another process: `tune` tells its user.
inline constexpr char kWaitsForDevice[] = "waits_for_device";

/// The longest name on the wire, in bytes: of a worker, with the name of its certificate and a '/' before its id.
inline constexpr size_t kMaxName = 128;

}  // namespace mmtune
