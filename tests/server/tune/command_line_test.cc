// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/commands.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <streambuf>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/whole_file.h"
#include "server/tune/session/local_worker.h"
#include "tests/server/tune/record_factory.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The settings of whoever runs the tests are not theirs.
const int kNoSettings = setenv("XDG_CONFIG_HOME", "/proc/nonexistent", /*overwrite=*/1);

struct Answer {
  int code;
  std::string out, err;
};

Answer Tune(const std::vector<std::string>& args) {
  std::ostringstream out, err;
  const int code = RunCommandLine(args, Console{out, err});
  return {code, out.str(), err.str()};
}

/// Returns the text with spaces for ends of lines, at which help may be broken.
std::string Flat(const std::string& text) {
  return absl::StrJoin(absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty()), " ");
}

/// Standard output on a full disk.
class FullBuffer : public std::streambuf {
  int overflow(int) override { return errno = ENOSPC, traits_type::eof(); }
  int sync() override { return errno = ENOSPC, -1; }
};

void ExpectOneLine(const Answer& answer, int code) {
  EXPECT_EQ(answer.code, code);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, StartsWith("tune: "));
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
}

TEST(CommandLineTest, MissingCommandIsAnsweredWithThoseThereAre) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"workers"}, {"workers", "--server", "there:1"}}) {
    const Answer answer = Tune(words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr("Usage: tune workers COMMAND"));
    EXPECT_THAT(answer.err, HasSubstr("\n  cordon "));
    EXPECT_THAT(answer.err, HasSubstr("\ntune: a command is required"));
  }
  EXPECT_THAT(Tune({}).err, HasSubstr("\n  matmul "));
  ExpectOneLine(Tune({"workers", "crodon"}), 2);
}

TEST(CommandLineTest, ReplayLearnsFromSeveralLandscapes) {
  const Answer answer = Tune({"replay", "/nowhere/at.csv", "--train", "/nowhere/a.csv", "--train", "/nowhere/b.csv"});
  ExpectOneLine(answer, 2);
  EXPECT_THAT(answer.err, HasSubstr("cannot read /nowhere/a.csv"));
}

TEST(CommandLineTest, ReplayTakesEveryFileBehindTrainForTraining) {
  const std::string hill = testing::TempDir() + "/hill.csv";
  ASSERT_TRUE(WriteWholeFile(hill, "x,time\n1,3\n2,2\n3,1\n4,2\n").ok());
  const std::vector<std::vector<std::string>> commands = {{"replay", hill, "--train", hill, "/nowhere/b.csv"},
                                                          {"replay", "--train", hill, "/nowhere/b.csv", "--", hill}};
  for (const std::vector<std::string>& words : commands) {
    const Answer answer = Tune(words);
    ExpectOneLine(answer, 2);
    EXPECT_THAT(answer.err, HasSubstr("cannot read /nowhere/b.csv"));
  }
  // Nothing is replayed that was meant to be learned from.
  const Answer answer = Tune({"replay", "--train", hill, hill});
  ExpectOneLine(answer, 2);
  EXPECT_THAT(answer.err, HasSubstr("no landscape to replay is named: give LANDSCAPE before --train"));
  ExpectOneLine(Tune({"replay"}), 2);
}

TEST(CommandLineTest, EveryCommandHasHelp) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"matmul"},
                                                          {"model"},
                                                          {"ladder"},
                                                          {"verify"},
                                                          {"verify", "matmul"},
                                                          {"verify", "kernel"},
                                                          {"profile"},
                                                          {"profile", "matmul"},
                                                          {"workers"},
                                                          {"workers", "list"},
                                                          {"workers", "cordon"},
                                                          {"workers", "uncordon"},
                                                          {"workers", "drain"},
                                                          {"records"},
                                                          {"records", "list"},
                                                          {"records", "best"},
                                                          {"records", "show"},
                                                          {"records", "spec"},
                                                          {"records", "export"},
                                                          {"records", "import"},
                                                          {"status"},
                                                          {"doctor"},
                                                          {"certs"},
                                                          {"certs", "init"},
                                                          {"certs", "issue"},
                                                          {"certs", "revoke"},
                                                          {"certs", "show"},
                                                          {"config"}};
  for (std::vector<std::string> command : commands) {
    std::vector<std::string> help = {"help"};
    help.insert(help.end(), command.begin(), command.end());
    const Answer spelled = Tune(help);
    command.emplace_back("--help");
    const Answer answer = Tune(command);
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.err, "");
    EXPECT_THAT(answer.out, HasSubstr("Usage: tune"));
    EXPECT_EQ(spelled.out, answer.out);
    EXPECT_EQ(spelled.code, 0);
  }
}

TEST(CommandLineTest, EveryCommandWithTablesTakesAStyleAndMarkdownExcludesOtherFormats) {
  const std::string hill = testing::TempDir() + "/style.csv";
  ASSERT_TRUE(WriteWholeFile(hill, "x,time\n1,3\n2,2\n3,1\n4,2\n").ok());
  const std::vector<std::string> replay = {"replay", hill, "--seeds", "1", "--budgets", "2", "--strategies", "random"};
  const auto with = [&replay](const std::vector<std::string>& more) {
    std::vector<std::string> words = replay;
    words.insert(words.end(), more.begin(), more.end());
    return Tune(words);
  };
  EXPECT_THAT(with({}).out, HasSubstr("\n--------  --------"));
  EXPECT_THAT(with({"--markdown"}).out, HasSubstr("\n\n| strategy | 2 trials |"));
  for (const char* other : {"--json", "--csv"}) ExpectOneLine(with({"--markdown", other}), 2);
  ExpectOneLine(with({"--color", "pink"}), 2);
  const std::vector<std::vector<std::string>> commands = {
      {"matmul"},          {"model"},  {"ladder"},          {"replay"},          {"explain"}, {"profile", "matmul"},
      {"records", "list"}, {"status"}, {"records", "best"}, {"workers", "list"}, {"doctor"},  {"jobs", "list"}};
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--help");
    EXPECT_THAT(Tune(command).out, testing::AllOf(HasSubstr("--color"), HasSubstr("--markdown"))) << command[0];
  }
}

TEST(CommandLineTest, HelpSaysTheOrderOfTheSizesAndTheExitCodes) {
  EXPECT_THAT(Flat(Tune({"matmul", "--help"}).out), HasSubstr("4x5x6 is M=4, N=5, K=6"));
  const std::string help = Tune({"--help"}).out;
  for (const char* code : {"  0    ", "  1    ", "  2    ", "  3    ", "  4    ", "  5    ", "  130  "}) {
    EXPECT_THAT(help, HasSubstr(code));
  }
  EXPECT_THAT(Tune({"matmul", "--help"}).out, Not(HasSubstr("Exit codes")));
}

TEST(CommandLineTest, HelpNamesTheStepsOfAnEpilogue) {
  for (const char* command : {"matmul", "ladder"}) {
    const std::string help = Flat(Tune({command, "--help"}).out);
    for (const char* word : {"--batch", "--transpose-b", "--epilogue", "bias", "add", "relu", "gelu", "gelu_tanh",
                             "silu", "scale:<factor>", "clamp:<low>:<high>"}) {
      EXPECT_THAT(help, HasSubstr(word)) << command;
    }
  }
  EXPECT_THAT(Flat(Tune({"records", "spec", "--help"}).out), HasSubstr("toolchain of the newest record"));
}

TEST(CommandLineTest, OutputThatIsLostIsAnError) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"help", "matmul"}, {"matmul", "--help"}, {"records", "best", "--help"}}) {
    SCOPED_TRACE(testing::PrintToString(args));
    FullBuffer full;
    std::ostream out(&full);
    std::ostringstream err;
    EXPECT_EQ(RunCommandLine(args, Console{out, err}), 1);
    EXPECT_EQ(err.str(), "tune: cannot write standard output: No space left on device\n");
  }
}

TEST(CommandLineTest, VersionIsPrinted) {
  const Answer answer = Tune({"--version"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, StartsWith("mmtune "));
}

TEST(CommandLineTest, BadUsageIsOneLineAndCode2) {
  const std::vector<std::vector<std::string>> bad = {{"frob"},
                                                     {"records", "frob"},
                                                     {"help", "frob"},
                                                     {"matmul"},
                                                     {"matmul", "4x5"},
                                                     {"matmul", "0x5x6"},
                                                     {"matmul", "-4x5x6"},
                                                     {"matmul", "99999999999999999999x1x1"},
                                                     {"matmul", "4x5x6", "extra"},
                                                     {"matmul", "4x5x6", "--frob"},
                                                     {"matmul", "4x5x6", "--dtype", "f99"},
                                                     {"matmul", "4x5x6", "--batch", "0"},
                                                     {"matmul", "4x5x6", "--batch", "many"},
                                                     {"matmul", "4x5x6", "--transpose-b", "yes"},
                                                     {"matmul", "4x5x6", "--epilogue", "elu"},
                                                     {"matmul", "4x5x6", "--epilogue"},
                                                     {"ladder", "4x5x6", "--batch", "-3"},
                                                     {"records", "list", "--batch", "4"},
                                                     {"records", "best", "--problem", "4x5x6", "--epilogue", "bias,"},
                                                     {"records", "export", "--transpose-b"},
                                                     {"records", "spec", "--arch", "sm_1"},
                                                     {"records", "spec", "--problem", "4x5"},
                                                     {"matmul", "4x5x6", "--device", "tpu"},
                                                     {"matmul", "4x5x6", "--strategy", "guess"},
                                                     {"matmul", "4x5x6", "--trials", "many"},
                                                     {"matmul", "4x5x6", "--trials", "-1"},
                                                     {"matmul", "4x5x6", "--seconds", "nan"},
                                                     {"matmul", "4x5x6", "--seed", "-1"},
                                                     {"matmul", "4x5x6", "--top", "0"},
                                                     {"matmul", "4x5x6", "--weight", "0"},
                                                     {"matmul", "4x5x6", "--weight", "1001"},
                                                     {"matmul", "4x5x6", "--priority", "101"},
                                                     {"matmul", "4x5x6", "--priority", "high"},
                                                     {"matmul", "4x5x6", "--select", "rack=7"},
                                                     {"matmul", "4x5x6", "--server", "127.0.0.1:1", "--select", "rack"},
                                                     {"matmul", "4x5x6", "--device-class", "tpu"},
                                                     {"workers", "frob"},
                                                     {"workers", "cordon"},
                                                     {"workers", "drain", "a", "b"},
                                                     {"workers", "list", "a"},
                                                     {"workers", "list", "--server", "nowhere"},
                                                     {"matmul", "4x5x6", "--server", "nowhere"},
                                                     {"ladder", "4x5"},
                                                     {"records", "list", "--outcome", "great"},
                                                     {"records", "list", "--since", "yesterday"},
                                                     {"records", "list", "--limit", "-3"},
                                                     {"records", "list", "--before", "0"},
                                                     {"records", "list", "--before", "0x10"},
                                                     {"records", "list", "--limit", "-1"},
                                                     {"records", "list", "--limit", ""},
                                                     {"records", "list", "--limit", "0x10"},
                                                     {"records", "list", "--limit", "99999999999999999999"},
                                                     {"records", "list", "--json", "--csv"},
                                                     {"records", "best", "--csv", "--json"},
                                                     {"records", "list", "--since", "99999999999d"},
                                                     {"records", "list", "--log", ""},
                                                     {"records", "list", "--device-name", ""},
                                                     {"records", "best", "--log="},
                                                     {"records", "show", ""},
                                                     {"records", "export", ""},
                                                     {"records", "import", ""},
                                                     {"records", "spec", "-o", ""},
                                                     {"status", "--log", ""},
                                                     {"status", "--server", ""},
                                                     {"compile"},
                                                     {"compile", "--log", ""},
                                                     {"compile", "m.mlir", "--log", "a", "--spec", "b"},
                                                     {"compile", "m.mlir", "--emit", "elf"},
                                                     {"matmul", "4x5x6:bf17"},
                                                     {"matmul", "4x5x6:bias,bias,elu"},
                                                     {"matmul", "4x5x6:bf16", "--dtype", "f16"},
                                                     {"matmul", "4x5x6:batch=0"},
                                                     {"verify", "matmul", "4x5x6:", "--best"},
                                                     {"records", "list", "--dtype", "f16"},
                                                     {"matmul", "4x5x6", "--regime", "hot"},
                                                     {"--generate", "ksh"},
                                                     {"matmul", "4x5x6", "--log", ""},
                                                     {"matmul", "4x5x6", "--server", ""},
                                                     {"matmul", "4x5x6", "--arch", ""},
                                                     {"matmul", "4x5x6", "--seed", "18446744073709551616"},
                                                     {"matmul", "4x5x6", "--seed", "1.5"},
                                                     {"matmul", "4x5x6", "--trials", "9223372036854775808"},
                                                     {"matmul", "4x5x6", "--trials", "20000000"},
                                                     {"matmul", "4x5x6", "--batch", "18446744073709551617"},
                                                     {"matmul", "4x5x6", "--finalists", "-1"},
                                                     {"matmul", "4x5x6", "--finalists", "65"},
                                                     {"matmul", "4x5x6", "--top", "99999999999999999999"},
                                                     {"matmul", "4x5x6", "--seconds", "1e400"},
                                                     {"matmul", "4x5x6", "--seconds", "inf"},
                                                     {"matmul", "4x5x6", "--seconds", "1e9"},
                                                     {"matmul", "4x5x6", "--measure-seconds", "nan"},
                                                     {"matmul", "4x5x6", "--measure-seconds", "3601"},
                                                     {"ladder", "4x5x6", "--seed", "99999999999999999999"},
                                                     {"verify", "matmul", "4x5x6", "--best", "--stress", "1e3"},
                                                     {"verify", "matmul", "4x5x6", "--schedule", ""},
                                                     {"verify", "matmul", "4x5x6", "--best", "--log", ""},
                                                     {"profile", "matmul", "4x5x6", "--schedule", ""},
                                                     {"profile", "matmul", "4x5x6", "--arch", "sm_81"},
                                                     {"records", "import", "/proc/nonexistent/file"},
                                                     {"status", "--server", "nowhere"},
                                                     {"status", "--server", "127.0.0.1:1", "--tls-ca", "/ca"},
                                                     {"certs", "init"},
                                                     {"certs", "init", "--ca", "/proc/nonexistent/ca"},
                                                     {"certs", "init", "--ca", "/proc", "--valid", "1y"},
                                                     {"certs", "issue", "root", "x", "--ca", "/proc"},
                                                     {"certs", "issue", "server", "x", "--ca", "/proc"},
                                                     {"certs", "issue", "worker", "x", "--ca", "/proc"},
                                                     {"certs", "issue", "worker", "x", "--ca", "/proc", "--host", "y"},
                                                     {"certs", "revoke", "/proc/nonexistent", "--ca", "/proc"},
                                                     {"certs", "show", "/proc/self/status"}};
  for (const auto& args : bad) {
    SCOPED_TRACE(testing::PrintToString(args));
    ExpectOneLine(Tune(args), 2);
  }
}

TEST(CommandLineTest, AnAbsentLogIsCode3) {
  ExpectOneLine(Tune({"records", "list", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"records", "best", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"records", "show", "1", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"records", "spec", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"records", "export", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"status", "--log", "/proc/nonexistent/log.db"}), 3);
  ExpectOneLine(Tune({"matmul", "4x5x6", "--log", "/proc/nonexistent/log.db"}), 3);
}

TEST(LastReasonTest, IsTheLastLineMadePlain) {
  EXPECT_EQ(LastReason("warning x\nmmtune-worker: no \x1b[1mCUDA\x1b[0m device\n\n"), "no CUDA device");
  EXPECT_EQ(LastReason(""), "");
  EXPECT_LE(LastReason(std::string(100'000, 'x')).size(), 310u);
}

TEST(CommandLineTest, WhatSucceedsIsSilentAndCode0) {
  const TempFolder folder;
  const std::string log = folder.File("log.db");
  EXPECT_TRUE(OpenTuningLog(log, {}).ok());
  const Answer answer = Tune({"records", "list", "--log", log});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, "no records\n");
  EXPECT_EQ(answer.err, "");
}

TEST(CommandLineTest, ListOfALongLogIsPrintedPageByPage) {
  const TempFolder folder;
  const std::string path = folder.File("log.db");
  constexpr int kRecords = 501;
  std::string lines;
  TuningRecord record = OkRecord(1e6);
  for (int i = 0; i < kRecords; ++i) {
    record.uuid = absl::StrCat("record-", i);
    absl::StrAppend(&lines, RecordToJson(record), "\n");
  }
  ASSERT_TRUE(WriteWholeFile(folder.File("records.jsonl"), lines).ok());
  const Answer imported = Tune({"records", "import", folder.File("records.jsonl"), "--log", path});
  ASSERT_EQ(imported.code, 0) << imported.err;
  const auto count = [](const std::string& text, const std::string& part) {
    return static_cast<int>(std::vector<std::string>(absl::StrSplit(text, part)).size()) - 1;
  };
  const Answer all = Tune({"records", "list", "--log", path, "--limit", "0"});
  EXPECT_EQ(count(all.out, "128x256x64"), kRecords);
  EXPECT_EQ(count(all.out, "outcome"), 2) << "each page has a heading";
  const Answer page = Tune({"records", "list", "--log", path});
  EXPECT_EQ(count(page.out, "128x256x64"), 20);
  EXPECT_THAT(page.out, HasSubstr("the newest 20; older ones: --before 482; all: --limit 0\n"));
  const Answer last = Tune({"records", "list", "--log", path, "--limit", "30", "--before", "31"});
  EXPECT_EQ(count(last.out, "128x256x64"), 30);
  EXPECT_THAT(last.out, Not(HasSubstr("--before")));
}

TEST(CommandLineTest, ANumberOutOfRangeNamesTheHelp) {
  EXPECT_THAT(Tune({"matmul", "4x5x6", "--finalists", "-1"}).err, HasSubstr("; see tune matmul --help\n"));
}

}  // namespace
}  // namespace mmtune
