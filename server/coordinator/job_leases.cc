// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_leases.h"

#include "proto/base/clock.h"
#include "proto/wire/convert.h"
#include "server/coordinator/result_trust.h"

namespace mmtune {

std::vector<Contender> JobLeases::ContendersFor(const RegisteredWorker& worker, const RegisteredDevice& device) const {
  std::vector<Contender> contenders;
  for (const auto& [id, active] : jobs_.all()) {
    if (active.job.state() != JobState::kRunning || !active.binding.Takes(worker, device)) continue;
    const SchedulingPolicy& manners = active.job.spec().manners;
    contenders.push_back({id, manners.priority, manners.weight, active.position});
  }
  return contenders;
}

void JobLeases::KeepPositions(const std::vector<Contender>& contenders) {
  for (const Contender& contender : contenders) {
    if (ActiveJob* active = jobs_.Find(contender.job_id)) active->position = contender.position;
  }
}

std::map<std::string, int64_t> JobLeases::ByClient() const {
  std::map<std::string, int64_t> live;
  if (quota_.candidates == 0) return live;
  for (const auto& [id, active] : jobs_.all()) live[active.job.owner()] += ledger_.Live(id);
  return live;
}

bool JobLeases::OthersServe(int64_t job_id, const std::vector<std::string>& parties, std::string_view worker) const {
  const ActiveJob* active = jobs_.Find(job_id);
  return active != nullptr && active->binding.ServedBesides(parties, worker);
}

v1::Lease JobLeases::Message(const LiveLease& lease, Duration ttl) const {
  const TuningJob& job = jobs_.Find(lease.job_id)->job;
  v1::Lease message;
  message.set_token(lease.token);
  message.set_job_uuid(job.uuid());
  message.set_candidate_id(lease.candidate_id);
  message.set_trace_id(job.trace_id());
  message.set_attempt(lease.attempt);
  *message.mutable_problem() = ToWire(job.spec().problem);
  *message.mutable_schedule() = ToWire(ledger_.Find(lease.candidate_id)->schedule);
  message.set_arch(job.target() ? job.target()->device.arch : job.spec().device.arch);
  message.set_ttl_seconds(Seconds(ttl));
  message.set_start_to_close_seconds(Seconds(lease.closes - lease.granted));
  // What was not believed is measured afresh and to the end, so that it can be compared.
  const bool doubted = job.target() && !ClaimsOn(job.target()->class_key, ledger_.Claims(lease.token)).empty();
  message.set_incumbent_ns(doubted ? 0 : job.best_ns());
  message.set_skip_above_ns(doubted ? 0 : job.skip_above_ns());
  *message.mutable_measure() = ToWire(job.measure());
  message.set_remeasure(doubted || job.spec().remeasure || job.spec().rival);
  if (job.spec().rival) *message.mutable_rival() = ToWire(*job.spec().rival);
  return message;
}

}  // namespace mmtune
