// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/model_run.h"

#include <set>
#include <utility>

#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr Duration kShowPeriod = std::chrono::milliseconds(500);

/// One run of RunModelJobs(). Not thread-safe.
class ModelRun : public JobWatch {
 public:
  ModelRun(Session& session, const std::function<void(const ModelRunResult&)>& show,
           const std::function<void(std::string_view)>& note)
      : JobWatch(session), show_(show), note_(note) {}

  absl::StatusOr<ModelRunResult> Run(const std::vector<v1::JobSpec>& specs) {
    for (const v1::JobSpec& spec : specs) RETURN_IF_ERROR(Submit(spec));
    result_.present_ns.resize(specs.size());
    static_cast<JobsEnd&>(result_) = Watch();
    Show();
    return std::move(result_);
  }

 private:
  void OnEvent(size_t i, const v1::JobEvent& event) override {
    shown_ = false;
    if (!event.has_record()) return;
    const absl::StatusOr<TuningRecord> record = FromWire(event.record());
    if (!record.ok()) return;
    result_.toolchain = record->toolchain.Digest();
    const absl::StatusOr<Schedule> present = FromWire(jobs()[i].spec().model().present());
    if (result_.present_ns[i] <= 0 && present.ok() && record->schedule == *present &&
        record->measurement.outcome == Outcome::kOk) {
      result_.present_ns[i] = record->measurement.timing.median_ns;
    }
  }

  void OnWaiting(const std::string& text) override {
    if (told_waits_.insert(text).second) note_(text);
  }
  void OnNote(const std::string& text) override { note_(text); }
  void OnTick() override {
    if (!shown_ && Clock::Real().Now() - shown_at_ >= kShowPeriod) Show();
  }

  void Show() {
    result_.jobs = jobs();
    show_(result_);
    shown_ = true;
    shown_at_ = Clock::Real().Now();
  }

  const std::function<void(const ModelRunResult&)>& show_;
  const std::function<void(std::string_view)>& note_;
  ModelRunResult result_;
  std::set<std::string> told_waits_;
  TimePoint shown_at_;
  bool shown_ = true;
};

}  // namespace

absl::StatusOr<ModelRunResult> RunModelJobs(Session& session, const std::vector<v1::JobSpec>& specs,
                                            const std::function<void(const ModelRunResult&)>& show,
                                            const std::function<void(std::string_view)>& note) {
  return ModelRun(session, show, note).Run(specs);
}

}  // namespace mmtune
