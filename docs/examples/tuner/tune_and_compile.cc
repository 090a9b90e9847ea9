// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tunes a matmul of a model on the SIMT device, asks the log for the best schedule, and compiles the model with it.
// Ctrl-C ends the search; the same command goes on with it.
#include <signal.h>

#include <cstdio>
#include <stop_token>
#include <thread>

#include "mmtune_tuner.h"

namespace {

int Fail(const mmtune::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return static_cast<int>(error.code);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s MODEL.mlir LIBRARY.so LOG\n", argv[0]);
    return 2;
  }
  // Ctrl-C becomes a request to stop: a thread waits for the signal, which is blocked everywhere else.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  std::stop_source stop;
  std::thread([interrupt, stop]() mutable {
    int signal = 0;
    sigwait(&interrupt, &signal);
    stop.request_stop();
  }).detach();

  const mmtune::Tuner tuner({.log = argv[3], .device = "simt"});
  mmtune::TuneOptions options{.trials = 4, .stop = stop.get_token(), .words = {"--quick"}};
  options.on_progress = [](const mmtune::Progress& progress) {
    if (!progress.note.empty()) std::fprintf(stderr, "%s\n", progress.note.c_str());
    std::fprintf(stderr, "%ld of %ld schedules\n", static_cast<long>(progress.done),
                 static_cast<long>(progress.planned));
  };
  const auto tuned = tuner.Tune("32x48x64:bias,relu", options);
  if (!tuned.ok()) return Fail(tuned.error());
  if (tuned->interrupted) return static_cast<int>(mmtune::ErrorCode::kInterrupted);

  const auto best = tuner.Best("32x48x64:bias,relu", 1);
  if (!best.ok()) return Fail(best.error());
  for (const mmtune::MeasuredSchedule& schedule : best.value()) {
    std::printf("%.1f GFLOP/s by %s\n", schedule.gflops, schedule.schedule.c_str());
  }

  const auto built = tuner.Compile(argv[1], argv[2], {.overwrite = true});
  if (!built.ok()) return Fail(built.error());
  for (const std::string& note : built->notes) std::printf("%s\n", note.c_str());
  std::printf("built %s\n", built->library.c_str());
  return 0;
}
