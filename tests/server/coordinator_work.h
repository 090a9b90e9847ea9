// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture for tests of the coordinator with workers: a coordinator, and helpers for reports of CUDA devices.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "proto/wire/convert.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {

/// A coordinator, in `h_`.
class CoordinatorWorkTest : public testing::Test {
 protected:
  std::string StartJob(const v1::JobSpec& spec = FreeJob()) { return h_.StartJob(spec); }

  /// Returns the status of a worker; empty if it is not registered.
  v1::WorkerStatus Status(const std::string& worker) {
    const v1::ServerInfo info = h_.coordinator().GetServerInfo();
    for (const v1::WorkerStatus& status : info.workers()) {
      if (status.worker_id() == worker) return status;
    }
    return {};
  }
  bool GetsLeases(const std::string& worker) { return !h_.LeaseOne(worker).token().empty(); }
  /// Reports an ok result on the CUDA device, with a finding about its health unless that is empty.
  absl::StatusOr<v1::ReportStatus> ReportCuda(const std::string& worker, const v1::Lease& lease, double ns,
                                              const std::string& finding = "") {
    v1::CandidateReport report = OkReport(lease.token(), ns);
    Measurement measurement = *FromWire(report.measurement());
    measurement.conditions.health.finding = finding;
    *report.mutable_measurement() = ToWire(measurement);
    *report.mutable_device() = ToWire(CudaDevice());
    return h_.Report(worker, report);
  }

  CoordinatorHarness h_;
};

}  // namespace mmtune
