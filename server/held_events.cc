// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/held_events.h"

#include <utility>

namespace mmtune {

void HeldEvents::Hold(const TuningJob& job, v1::JobEvent event) {
  held_.push_back({job.uuid(), std::move(event), IsFinal(job.state())});
}

void HeldEvents::Publish() {
  for (Held& held : std::exchange(held_, {})) {
    if (auto feed = feeds_.Find(held.job_uuid)) feed->Append(std::move(held.event), held.last);
  }
}

}  // namespace mmtune
