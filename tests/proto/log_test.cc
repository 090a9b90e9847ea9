// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"

namespace mmtune {
namespace {

using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

// Standard error goes into a pipe while this lives; what is written must fit it (64 KiB).
class StandardErrorPipe {
 public:
  StandardErrorPipe() : saved_(dup(STDERR_FILENO)) {
    EXPECT_EQ(pipe(ends_), 0);
    EXPECT_GE(dup2(ends_[1], STDERR_FILENO), 0);
    close(ends_[1]);
  }
  ~StandardErrorPipe() {
    Restore();
    close(ends_[0]);
  }
  std::string TakeAll() {
    Restore();
    std::string all;
    char buffer[4096];
    for (ssize_t n; (n = read(ends_[0], buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<size_t>(n));
    return all;
  }

 private:
  void Restore() {
    if (saved_ < 0) return;
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    saved_ = -1;
  }
  int saved_;
  int ends_[2];
};

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override { SetLogLevel(LogLevel::kInfo); }
  void TearDown() override { SetLogLevel(LogLevel::kWarning); }
};

// The line without its time, which has a test of its own.
std::string LineOf(std::initializer_list<LogField> fields) {
  StandardErrorPipe pipe;
  LogInfo("event", fields);
  std::string line = pipe.TakeAll();
  return line.substr(std::min(line.find(' ') + 1, line.size()));
}

TEST_F(LogTest, LineHasTimeLevelEventAndFields) {
  StandardErrorPipe pipe;
  LogWarning("lease.expired", {{"job", "j1"}, {"candidate", 42}, {"seconds", 1.5}});
  EXPECT_THAT(pipe.TakeAll(), MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z "
                                           "warning lease.expired job=j1 candidate=42 seconds=1.5\n"));
}

TEST_F(LogTest, QuotesValuesOfSeveralWords) {
  EXPECT_EQ(LineOf({}), "info event\n");
  EXPECT_EQ(LineOf({{"a", "x_y-z/1"}}), "info event a=x_y-z/1\n");
  EXPECT_EQ(LineOf({{"a", ""}}), "info event a=\"\"\n");
  EXPECT_EQ(LineOf({{"a", "two words"}}), "info event a=\"two words\"\n");
  EXPECT_EQ(LineOf({{"a", "k=v"}}), "info event a=\"k=v\"\n");
  EXPECT_EQ(LineOf({{"a", "say \"hi\""}}), "info event a=\"say \\\"hi\\\"\"\n");
  EXPECT_EQ(LineOf({{"a", "end\\"}}), "info event a=\"end\\\\\"\n");
  EXPECT_EQ(LineOf({{"a", std::string("s")}, {"b", std::string_view("t u")}}), "info event a=s b=\"t u\"\n");
}

TEST_F(LogTest, ValueCannotBreakTheLine) {
  EXPECT_EQ(LineOf({{"a", "x\ninfo forged"}}), "info event a=\"x info forged\"\n");
  EXPECT_EQ(LineOf({{"a", "x\ny"}}), "info event a=\"x y\"\n");
  EXPECT_EQ(LineOf({{"a", std::string("x\0y\x1b\x7f", 5)}}), "info event a=xy\n");
  EXPECT_EQ(LineOf({{"a", "x\xc2\x9b\xe2\x80\xaey"}}), "info event a=xy\n");  // C1, right-to-left override
  const size_t cut = LineOf({{"a", std::string(100'000, 'x')}}).size();
  EXPECT_GE(cut, 2048u);
  EXPECT_LE(cut, 4096u);
}

TEST_F(LogTest, DropsLinesBelowTheLevel) {
  {
    StandardErrorPipe pipe;
    Log(LogLevel::kDebug, "detail");
    EXPECT_THAT(pipe.TakeAll(), IsEmpty());
  }
  SetLogLevel(LogLevel::kError);
  StandardErrorPipe pipe;
  LogInfo("a");
  LogWarning("b");
  LogError("c");
  EXPECT_THAT(pipe.TakeAll(), MatchesRegex("[^ ]* error c\n"));
}

TEST_F(LogTest, LineNamesItsSubject) {
  const LogSubject subject{"1234", "j1", "0af7", 7};
  StandardErrorPipe pipe;
  Log(LogLevel::kInfo, "measured", subject, {{"outcome", "ok"}});
  SetLogSubject(subject);
  LogInfo("compiled");
  SetLogSubject({});
  LogInfo("idle");
  EXPECT_THAT(pipe.TakeAll(), MatchesRegex("[^ ]* info measured lease=1234 job=j1 candidate=7 trace=0af7 outcome=ok\n"
                                           "[^ ]* info compiled lease=1234 job=j1 candidate=7 trace=0af7\n"
                                           "[^ ]* info idle\n"));
}

class JsonLogTest : public LogTest {
 protected:
  void SetUp() override {
    LogTest::SetUp();
    SetLogStyle({LogFormat::kJson, "worker", "gpu-a/w1"});
  }
  void TearDown() override {
    SetLogStyle({});
    ForwardLog(-1, LogLevel::kError);
    LogTest::TearDown();
  }
};

TEST_F(JsonLogTest, LineIsOneObject) {
  StandardErrorPipe pipe;
  Log(LogLevel::kWarning, "lease lost", {"1234", "j1", "0af7", 7},
      {{"seconds", 1.5}, {"why", "a \"b\"\nc\x1b"}, {"message", "more"}, {"rate", 1.0 / 0.0}, {"left", 0}});
  const std::string line = pipe.TakeAll();
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  auto json = nlohmann::ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(json.is_object()) << line;
  EXPECT_THAT(json["time"].get<std::string>(),
              MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z"));
  json.erase("time");
  EXPECT_EQ(json.dump(),
            R"({"level":"warning","message":"lease lost","component":"worker","worker":"gpu-a/w1","lease":"1234",)"
            R"("job":"j1","candidate":7,"trace":"0af7","seconds":1.5,"why":"a \"b\"\nc\u001b","detail":"more",)"
            R"("rate":"inf","left":0})");
}

TEST_F(JsonLogTest, EscapesCharactersThatChangeOrHideText) {
  StandardErrorPipe pipe;
  LogInfo("event", {{"a", "x\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\x81y"}});
  const std::string line = pipe.TakeAll();
  EXPECT_THAT(line, testing::HasSubstr(R"("a":"x\u007f\u009b\u202e\u200b\ufeff\udb40\udc41y")"));
  EXPECT_TRUE(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false).is_object()) << line;
  EXPECT_LE(line.size(), 4096u);
}

TEST_F(JsonLogTest, InvalidUtf8AndLongTextStayOneObject) {
  StandardErrorPipe pipe;
  LogInfo("event", {{"a", "\xff\xfe"}, {"b", std::string(100'000, 'x')}});
  const std::string line = pipe.TakeAll();
  const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(json.is_object()) << line;
  EXPECT_GE(json["b"].get<std::string>().size(), 2048u);
}

TEST_F(JsonLogTest, LineIsShortEnoughForAnAtomicPipeWrite) {
  for (const LogFormat format : {LogFormat::kJson, LogFormat::kText}) {
    SetLogStyle({format, "server", ""});
    for (const size_t size : {1000u, 2000u, 5000u, 100000u}) {
      StandardErrorPipe pipe;
      LogInfo("long",
              {{"a", std::string(size, 'a')}, {"quotes", std::string(size, '"')}, {"b", std::string(size, 'b')}});
      const std::string line = pipe.TakeAll();
      EXPECT_LE(line.size(), 4096u) << size;
      EXPECT_GE(line.size(), 1000u) << size;
      EXPECT_EQ(line.back(), '\n');
      if (format == LogFormat::kJson) {
        EXPECT_TRUE(nlohmann::json::accept(line)) << size;
      }
    }
  }
}

TEST_F(JsonLogTest, FatalErrorIsAnObjectToo) {
  StandardErrorPipe pipe;
  ReportFatal("mmtune-server", "the disk is full");
  SetLogStyle({});
  ReportFatal("mmtune-server", "the disk is full");
  EXPECT_THAT(pipe.TakeAll(),
              MatchesRegex("\\{\"time\":[^\n]*\"program\":\"mmtune-server\",\"why\":\"the disk is full\"\\}\n"
                           "mmtune-server: the disk is full\n"));
}

TEST_F(JsonLogTest, ForwardsLinesOfAChildToItsDaemon) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ForwardLog(ends[1], LogLevel::kDebug);
  StandardErrorPipe own;
  Log(LogLevel::kDebug, "detail");
  LogInfo("event");
  close(ends[1]);
  std::string forwarded(4096, 0);
  forwarded.resize(static_cast<size_t>(std::max<ssize_t>(read(ends[0], forwarded.data(), forwarded.size()), 0)));
  close(ends[0]);
  EXPECT_THAT(forwarded, MatchesRegex("\\{[^\n]*\"detail\"[^\n]*\\}\n\\{[^\n]*\"event\"[^\n]*\\}\n"));
  EXPECT_THAT(own.TakeAll(), MatchesRegex("[^ ]* info event\n"));
}

TEST_F(LogTest, LinesOfSeveralThreadsDoNotMix) {
  constexpr int kThreads = 4, kLines = 100;
  StandardErrorPipe pipe;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kLines; ++i) LogInfo("line", {{"thread", t}, {"number", i}, {"end", "!"}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string all = pipe.TakeAll();
  std::set<std::string> lines;
  for (absl::string_view line : absl::StrSplit(all, '\n', absl::SkipEmpty())) {
    EXPECT_THAT(std::string(line), MatchesRegex("[^ ]* info line thread=[0-9]+ number=[0-9]+ end=!"));
    lines.insert(std::string(line.substr(line.find(' '))));
  }
  EXPECT_THAT(lines, SizeIs(kThreads * kLines));
}

}  // namespace
}  // namespace mmtune
