// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The boundary of the service: requests as clients, workers and admins may send them, to a coordinator with a fake log.
#include <set>

#include "proto/wire/convert.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

constexpr size_t kHeader = 3;

/// Parses the request and passes it to `call`, unless it is malformed: gRPC refuses such itself.
template <typename Request, typename Call>
void WithRequest(std::string_view bytes, Call call) {
  Request request;
  if (request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) call(request);
}

void CallMethod(CoordinatorHarness& harness, unsigned char method, std::string_view bytes) {
  const auto run = [&harness](auto apply) { harness.Call(apply).status().IgnoreError(); };
  switch (method % 10) {
    case 0:
      return WithRequest<v1::SubmitJobRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.SubmitJob(request); }); });
    case 1:
      return WithRequest<v1::CancelJobRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.CancelJob(request); }); });
    case 2:
      return WithRequest<v1::RegisterRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.Register(request); }); });
    case 3:
      return WithRequest<v1::LeaseRequest>(bytes, [&](const auto& request) {
        auto call = std::make_shared<TestLeaseCall>();
        harness.Run({{[&](Coordinator& c) { return c.Lease(request, call); }, [](const absl::Status&) {}}})
            .IgnoreError();
      });
    case 4:
      return WithRequest<v1::HeartbeatRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.Heartbeat(request); }); });
    case 5:
      return WithRequest<v1::ReportRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.Report(request); }); });
    case 6:
      return WithRequest<v1::ReportCompiledRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.ReportCompiled(request); }); });
    case 7:
      return WithRequest<v1::HoldWorkerRequest>(
          bytes, [&](const auto& request) { run([&](Coordinator& c) { return c.HoldWorker(request); }); });
    case 8:
      return WithRequest<v1::TuningRecord>(bytes, [](const auto& message) {
        const absl::StatusOr<TuningRecord> record = FromWire(message);
        if (!record.ok()) return;
        const absl::StatusOr<TuningRecord> again = FromWire(ToWire(*record));
        Promise(again.ok(), "a record is read back as it was sent");
      });
    default:
      harness.Pass(std::chrono::seconds(bytes.size() % 64));
  }
}

/// Checks that no candidate has two canonical records or two live leases.
void CheckStorage(const FakeLogStorage& storage) {
  std::set<int64_t> canonical, live;
  for (const auto& [id, entry] : storage.records) {
    if (entry.record.canonical) Promise(canonical.insert(entry.candidate_id).second, "one canonical record");
  }
  for (const auto& [token, attempt] : storage.attempts) {
    if (attempt.row.state == AttemptState::kLive) {
      Promise(live.insert(attempt.row.candidate_id).second, "one live lease");
    }
  }
}

}  // namespace

void FuzzService(std::string_view input) {
  CoordinatorHarness harness;
  // One job with a lease, whose token is one of the first ("t1", "t2", ...), so that a report finds it.
  harness.StartJob(FreeJob(3));
  harness.LeaseOne("w");
  while (input.size() >= kHeader) {
    const auto byte = [&input](size_t at) { return static_cast<unsigned char>(input[at]); };
    const unsigned char method = byte(0);
    const size_t size = byte(1) + size_t{256} * byte(2);
    input.remove_prefix(kHeader);
    CallMethod(harness, method, input.substr(0, size));
    input.remove_prefix(std::min(size, input.size()));
  }
  CheckStorage(harness.storage());
  harness.Restart();
  harness.coordinator().GetServerInfo();
}

}  // namespace mmtune
