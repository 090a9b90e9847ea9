// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/watch_stream.h"

#include "proto/base/status.h"
#include "server/rpc/rpc.h"

namespace mmtune {

class WatchStream::Reactor : public grpc::ServerWriteReactor<v1::JobEvent> {
 public:
  explicit Reactor(std::shared_ptr<WatchStream> stream) : stream_(std::move(stream)) {}
  void OnWriteDone(bool ok) override { stream_->OnWriteDone(ok); }
  void OnCancel() override { stream_->Finish(absl::CancelledError("the client went away")); }
  void OnDone() override {
    stream_->OnDone();
    delete this;
  }

 private:
  const std::shared_ptr<WatchStream> stream_;
};

std::pair<grpc::ServerWriteReactor<v1::JobEvent>*, std::shared_ptr<WatchStream>> WatchStream::Create() {
  auto stream = std::make_shared<WatchStream>();
  auto* reactor = new Reactor(stream);
  {
    MutexLock lock(&stream->mutex_);
    stream->reactor_ = reactor;
  }
  return {reactor, std::move(stream)};
}

WatchStream::~WatchStream() = default;

void WatchStream::Follow(std::shared_ptr<JobFeed> feed, int64_t after_seq) {
  std::weak_ptr<WatchStream> weak = weak_from_this();
  const int64_t watcher = feed->Watch([weak] {
    if (auto stream = weak.lock()) stream->Advance();
  });
  bool over = false;
  {
    MutexLock lock(&mutex_);
    over = reactor_ == nullptr;
    if (!over) {
      feed_ = feed;
      watcher_ = watcher;
      after_seq_ = after_seq;
    }
  }
  if (over) {
    feed->Unwatch(watcher);
  } else {
    Advance();
  }
}

void WatchStream::Advance() {
  absl::Status end;
  {
    MutexLock lock(&mutex_);
    if (reactor_ == nullptr || feed_ == nullptr || writing_ != nullptr) return;
    JobFeed::Read read = feed_->ReadAfter(after_seq_);
    if (read.event != nullptr) {
      after_seq_ = read.event->seq();
      writing_ = std::move(read.event);
      // Called under the lock, so that OnDone cannot come first. gRPC never calls back on this thread.
      reactor_->StartWrite(writing_.get());
      return;
    }
    if (!read.ended) return;
    if (read.abandoned)
      end = Unavailable("the server is shutting down, or has the job no longer: watch again from the last event");
  }
  Finish(end);
}

void WatchStream::OnWriteDone(bool ok) {
  absl::Status end = absl::CancelledError("the client went away");
  {
    MutexLock lock(&mutex_);
    writing_ = nullptr;
    if (finish_) {
      end = *finish_;
      ok = false;
    }
  }
  if (ok) {
    Advance();
  } else {
    Finish(end);
  }
}

void WatchStream::Finish(const absl::Status& status) {
  Reactor* reactor = nullptr;
  {
    MutexLock lock(&mutex_);
    if (writing_ != nullptr) {
      if (!finish_) finish_ = status;
      return;
    }
    reactor = std::exchange(reactor_, nullptr);
  }
  if (reactor != nullptr) reactor->Finish(ToGrpc(status));
}

void WatchStream::OnDone() {
  std::shared_ptr<JobFeed> feed;
  int64_t watcher = 0;
  {
    MutexLock lock(&mutex_);
    feed = std::exchange(feed_, nullptr);
    watcher = watcher_;
  }
  if (feed != nullptr) feed->Unwatch(watcher);
}

}  // namespace mmtune
