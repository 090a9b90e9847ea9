// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ API over a stand-in for `tune`: a shell script that says what a test wants. tests/e2e/install_test.py runs
// the real one.
#include "mmtune_tuner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <stdexcept>

#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRecord[] =
    R"({"uuid":"ab12","gflops":2.5,"device":{"name":"a device"},"schedule":{"family":"fma","params":{"bk":16,"bm":64}},)"
    R"("measurement":{"timing":{"median_ns":200.0,"low_ns":190.0,"high_ns":210.0},)"
    R"("verification":{"performed":true,"passed":true}}})";

std::string Report(const std::string& best, bool interrupted) {
  return R"({"done":3,"from_log":1,"interrupted":)" + std::string(interrupted ? "true" : "false") + R"(,"best":[)" +
         best + "]}";
}

class TunerTest : public testing::Test {
 protected:
  /// Makes the stand-in, which keeps its words in the file `words`.
  Tuner With(const std::string& script) {
    const std::string path = folder_.path() + "/tune";
    std::ofstream(path) << "#!/bin/sh\necho \"$*\" > '" << WordsPath() << "'\n" << script;
    chmod(path.c_str(), 0700);
    options_.program = path;
    return Tuner(options_);
  }
  std::string WordsPath() const { return folder_.path() + "/words"; }
  std::string SpokenWords() const {
    std::string line;
    std::ifstream file(WordsPath());
    std::getline(file, line);
    return line;
  }
  static std::string Print(const std::string& text) { return "cat <<'END'\n" + text + "\nEND\n"; }

  TempFolder folder_;
  TunerOptions options_;
};

TEST_F(TunerTest, TunesAProblemAndReportsProgress) {
  options_ = {.log = "a log.db", .device = "simt", .arch = "sm_80"};
  std::vector<Progress> seen;
  const auto tuned = With(R"(echo '{"done":1,"planned":3,"failed":1,"best_ns":0}' >&2
              echo '{"note":"waiting","planned":"many"}' >&2
              printf 'tune: a line' >&2
           )" + Print(Report(kRecord, false)))
                         .Tune("4x5x6:bias", {.trials = 3,
                                              .seed = 7,
                                              .on_progress = [&](const Progress& p) { seen.push_back(p); },
                                              .words = {"--quick"}});
  ASSERT_TRUE(tuned.ok()) << tuned.error().message;
  EXPECT_EQ(
      SpokenWords(),
      "matmul 4x5x6:bias --json --progress-json --device simt --seed 7 --log a log.db --arch sm_80 --trials 3 --quick");
  EXPECT_EQ(tuned->done, 3);
  EXPECT_EQ(tuned->from_log, 1);
  EXPECT_FALSE(tuned->interrupted);
  ASSERT_EQ(tuned->best.size(), 1u);
  EXPECT_EQ(tuned->best[0].schedule, "fma bk=16 bm=64");
  EXPECT_EQ(tuned->best[0].median_ns, 200);
  EXPECT_EQ(tuned->best[0].gflops, 2.5);
  EXPECT_EQ(tuned->best[0].device, "a device");
  EXPECT_TRUE(tuned->best[0].verified);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].failed, 1);
  EXPECT_EQ(seen[1].note, "waiting");
  EXPECT_EQ(seen[1].planned, 3);
  EXPECT_EQ(seen[2].note, "a line");
}

TEST_F(TunerTest, ReturnsTheErrorLineAndItsCode) {
  const auto bad = With("echo 'tune: M is 0' >&2; exit 2").Tune("0x5x6");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::kUsage);
  EXPECT_EQ(bad.error().message, "M is 0");
  const auto nothing = With(Print(Report("", false)) + "exit 1").Tune("4x5x6");
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, ErrorCode::kNoResult);
  EXPECT_EQ(nothing.error().message, "no schedule gave a valid result");
  const auto killed = With("kill -9 $$").Compile("m.mlir", "libm.so");
  ASSERT_FALSE(killed.ok());
  EXPECT_THAT(killed.error().message, HasSubstr("137"));
}

TEST_F(TunerTest, TheErrorOfAModelIsTheCompilersFirst) {
  const auto bad = With(
                       "echo 'm.mlir:1:18: error: unknown op' >&2; echo 'func.func @f' >&2; echo '  ^' >&2;"
                       "echo 'tune: the model does not compile' >&2; exit 1")
                       .TuneModel("m.mlir");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "m.mlir:1:18: error: unknown op");
}

TEST_F(TunerTest, AProgramThatIsNotThereOrSpeaksDifferentlyIsAnError) {
  const auto absent = Tuner({.program = "/no/such/tune"}).Tune("4x5x6");
  ASSERT_FALSE(absent.ok());
  EXPECT_THAT(absent.error().message, HasSubstr("/no/such/tune"));
  const auto other = With(Print("{}")).Tune("4x5x6");
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, HasSubstr("does not know"));
}

constexpr char kUntilInterrupted[] =
    "trap 'interrupted=1' INT; echo '{\"done\":1}' >&2; "
    "while [ -z \"$interrupted\" ]; do sleep 0.02; done\n";

TEST_F(TunerTest, AStopReturnsWhatWasFound) {
  std::stop_source stop;
  const TuneOptions options{.on_progress = [&](const Progress&) { stop.request_stop(); }, .stop = stop.get_token()};
  const auto found = With(kUntilInterrupted + Print(Report(kRecord, true)) + "exit 130").Tune("4x5x6", options);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_TRUE(found->interrupted);
  EXPECT_EQ(found->best.size(), 1u);
  const auto nothing = With(kUntilInterrupted + Print(Report("", true)) + "exit 130").Tune("4x5x6", options);
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, ErrorCode::kInterrupted);
}

TEST_F(TunerTest, AJobThatAnotherClientCancelsIsAnError) {
  const auto lost =
      With(Print(Report(kRecord, false)) + "echo 'tune: cancelled by another' >&2; exit 130").Tune("4x5x6");
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().message, "cancelled by another");
}

TEST_F(TunerTest, AnExceptionOfACallbackEndsTheProgram) {
  const TuneOptions options{.on_progress = [](const Progress&) { throw std::runtime_error("mine"); }};
  EXPECT_THROW(With("echo '{\"done\":1}' >&2; exec sleep 100").Tune("4x5x6", options), std::runtime_error);
}

TEST_F(TunerTest, AnExceptionOfACallbackEndsAProgramThatHasMuchToWrite) {
  const TuneOptions options{.on_progress = [](const Progress&) { throw std::runtime_error("mine"); }};
  const std::string script =
      "trap 'interrupted=1' INT TERM; echo '{\"done\":1}' >&2; "
      "while [ -z \"$interrupted\" ]; do sleep 0.02; done; head -c 200000 /dev/zero; exit 130";
  EXPECT_THROW(With(script).Tune("4x5x6", options), std::runtime_error);
}

TEST_F(TunerTest, AProcessThatKeepsThePipesOpenIsNotAwaited) {
  const std::string pid_path = folder_.path() + "/pid";
  const auto tuned = With("sleep 1000 & echo $! > '" + pid_path + "'\n" + Print(Report(kRecord, false))).Tune("4x5x6");
  EXPECT_TRUE(tuned.ok()) << tuned.error().message;
  pid_t pid = 0;
  std::ifstream(pid_path) >> pid;
  ASSERT_GT(pid, 1);
  EXPECT_EQ(kill(pid, SIGKILL), 0);
}

TEST_F(TunerTest, ACallerThatIgnoresSigchldGetsAnError) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto built = With("exit 2").Compile("m.mlir", "libm.so");
  signal(SIGCHLD, before);
  ASSERT_FALSE(built.ok());
  EXPECT_THAT(built.error().message, HasSubstr("ignores SIGCHLD"));
}

TEST_F(TunerTest, TunesAModel) {
  const auto model =
      With(Print(R"({"matmuls":[{"problem":"4x5x6","calls":2,"before_ns":3.0,"after_ns":null,"schedule":null}],)"
                 R"("trials":9,"before_ns":6.0,"after_ns":6.0,"interrupted":false})"))
          .TuneModel("m.mlir", {.library = "libm.so", .spec = "m.json", .overwrite = true}, {.seconds = 2.5});
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_THAT(SpokenWords(), HasSubstr("model m.mlir"));
  EXPECT_THAT(SpokenWords(), HasSubstr("--seconds 2.5 -o libm.so --spec m.json --force"));
  EXPECT_EQ(model->trials, 9);
  EXPECT_EQ(model->before_ns, 6);
  ASSERT_EQ(model->matmuls.size(), 1u);
  EXPECT_EQ(model->matmuls[0].calls, 2);
  EXPECT_EQ(model->matmuls[0].schedule, "");
}

TEST_F(TunerTest, AsksTheLogAndCompiles) {
  options_.log = "l.db";
  const Tuner tuner = With(Print(std::string(kRecord) + "\n" + kRecord));
  const auto best = tuner.Best("4x5x6", 2);
  ASSERT_TRUE(best.ok()) << best.error().message;
  EXPECT_EQ(best.value().size(), 2u);
  EXPECT_EQ(SpokenWords(), "records best --json --problem 4x5x6 --limit 2 --log l.db");
  const auto built = With("echo 'm.mlir:3:1: remark: uses a default one' >&2; echo '  %0 = x' >&2")
                         .Compile("m.mlir", "libm.so", {.words = {"-O", "3"}});
  ASSERT_TRUE(built.ok()) << built.error().message;
  EXPECT_EQ(SpokenWords(), "compile m.mlir -o libm.so --quiet --log l.db -O 3");
  EXPECT_THAT(built->notes, ElementsAre("m.mlir:3:1: remark: uses a default one"));
  options_.device = "cuda:1";
  EXPECT_TRUE(With(Print(kRecord)).Best("4x5x6", 1).ok());
  EXPECT_THAT(SpokenWords(), HasSubstr(" --device-name cuda"));
  EXPECT_THAT(SpokenWords(), Not(HasSubstr("cuda:")));
  EXPECT_EQ(With("exit 9").Best("4x5x6").error().code, ErrorCode::kLogVersion);
  options_.server = "host:1";
  EXPECT_EQ(With("").Best("4x5x6").error().code, ErrorCode::kUsage);
  EXPECT_EQ(With("").Compile("m.mlir", "libm.so").error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace mmtune
