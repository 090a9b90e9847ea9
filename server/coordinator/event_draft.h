// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event of a job, before it is a message.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "mmtune/v1/tuning.pb.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// A record and a schedule are turned into messages where a watcher reads the event: most events are never read, and
/// the record writer's thread makes one for each candidate.
struct EventDraft {
  /// Implicit: of a message that is whole.
  EventDraft(v1::JobEvent message) : message(std::move(message)) {}  // NOLINT(google-explicit-constructor)

  v1::JobEvent message;                        ///< Without the two below.
  std::shared_ptr<const Schedule> best;        ///< Its progress's best schedule; null: none.
  std::shared_ptr<const TuningRecord> record;  ///< Null: none.

  /// Of memory that is its own, about.
  size_t Bytes() const;
  /// Turns the rest into messages.
  void WriteOut();
};

}  // namespace mmtune
