// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>

#include "absl/strings/str_split.h"
#include "proto/base/exit_code.h"
#include "proto/base/whole_file.h"
#include "proto/command_line/help.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/validators.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// A program with one option of each kind.
struct Values {
  std::string log, server, color = "auto", file;
  int trials = 64;
  bool quiet = false, rare = false;
};

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    CLI::App& run = *program_.add_subcommand("run", "Runs something");
    CLI::App& jobs = *program_.add_subcommand("jobs", "Jobs of a coordinator");
    jobs.require_subcommand(1);
    jobs.add_subcommand("list", "Lists them");
    run.add_option("FILE", values_.file, "What to run")->type_name("FILE");
    AsSetting(run.add_option("--trials", values_.trials, "How often")->check(IntegerFrom(0)))
        ->type_name("N")
        ->capture_default_str();
    CLI::Option* server = AsSetting(run.add_option("--server", values_.server, "Where"))->type_name("ADDR");
    AsSetting(run.add_option("-l,--log", values_.log, "The log"))->type_name("FILE")->excludes(server);
    AsSetting(run.add_flag("--quiet", values_.quiet, "Says nothing"));
    InGroup(run, kOutputGroup);
    AsSetting(run.add_option("--color", values_.color, "When to colour"))
        ->check(OneOf({"auto", "never", "always"}))
        ->type_name("");
    InGroup(run, kRareGroup);
    run.add_flag("--rare", values_.rare, std::string(300, 'x') + " few need it");
  }
  ~ProgramTest() override {
    for (const char* name : {"MMTUNE_LOG", "MMTUNE_SERVER", "MMTUNE_TRIALS", "MMTUNE_QUIET"}) unsetenv(name);
  }

  Settings File(const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(path(), text).ok());
    return Settings::Read(path()).value();
  }
  std::string path() const { return folder_.File("config.json"); }

  std::string Error(const std::vector<std::string>& words, const absl::StatusOr<Settings>& settings = Settings()) {
    const auto text = program_.Parse(words, settings, 100);
    EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(text.status().message());
  }
  void Run(const std::vector<std::string>& words, const Settings& settings = Settings()) {
    const auto text = program_.Parse(words, settings, 100);
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_FALSE(*text);
  }
  std::string Text(const std::vector<std::string>& words, size_t width = 100) {
    return program_.Parse(words, InvalidSettings(), width)->value_or("");
  }
  static absl::StatusOr<Settings> InvalidSettings() { return absl::InvalidArgumentError("settings"); }

  TempFolder folder_;
  Values values_;
  Program program_{"Does things.\nAll of them.", "tool"};
};

TEST_F(ProgramTest, OptionGoesBeforeVariableBeforeFileBeforeDefault) {
  const Settings settings = File(R"({"trials": 3, "color": "never", "quiet": true})");
  setenv("MMTUNE_TRIALS", "2", 1);
  Run({"run", "--trials", "1"}, settings);
  EXPECT_EQ(values_.trials, 1);
  Run({"run"}, settings);
  EXPECT_EQ(values_.trials, 2);
  unsetenv("MMTUNE_TRIALS");
  Run({"run"}, settings);
  EXPECT_EQ(values_.trials, 3);
  EXPECT_EQ(values_.color, "never");
  EXPECT_TRUE(values_.quiet);
  EXPECT_THAT(program_.command_words(), ElementsAre("--trials=3", "--quiet", "--color=never"));
}

TEST_F(ProgramTest, SettingGivesWayToAnOptionThatExcludesIt) {
  const Settings settings = File(R"({"server": "there:1"})");
  Run({"run", "-l", "a.db"}, settings);
  EXPECT_EQ(values_.log, "a.db");
  EXPECT_EQ(values_.server, "");
  setenv("MMTUNE_LOG", "b.db", 1);
  Run({"run"}, settings);
  EXPECT_EQ(values_.log, "b.db");
  EXPECT_EQ(values_.server, "");
  setenv("MMTUNE_SERVER", "here:1", 1);
  EXPECT_THAT(Error({"run"}), HasSubstr("MMTUNE_LOG and MMTUNE_SERVER exclude each other here"));
}

TEST_F(ProgramTest, SettingGivesWayToAWordThatGivesItsOption) {
  program_.SetGivenByWord([](const std::string& word) {
    return word == "x:5" ? std::vector<std::string>{"trials"} : std::vector<std::string>();
  });
  setenv("MMTUNE_TRIALS", "3", 1);
  Run({"run", "x:5"});
  Run({"run", "--server=x:5"});
  EXPECT_EQ(values_.trials, 64);
  Run({"run", "x"});
  EXPECT_EQ(values_.trials, 3);
}

TEST_F(ProgramTest, SettingOfAnOptionThatNeedsAnotherHoldsOnlyBesideIt) {
  CLI::App& run = *program_.get_subcommand("run");
  run.get_option("--trials")->needs(run.get_option("FILE"));
  setenv("MMTUNE_TRIALS", "3", 1);
  Run({"run", "--quiet"});
  EXPECT_EQ(values_.trials, 64);
  Run({"run", "file"});
  EXPECT_EQ(values_.trials, 3);
}

TEST_F(ProgramTest, AWordIsTheFirstOptionWithoutANameThatIsFree) {
  CLI::App& run = *program_.get_subcommand("run");
  std::string problem;
  run.get_option("--trials")->needs(run.add_option("--problem,PROBLEM", problem, "Which problem"));
  setenv("MMTUNE_TRIALS", "3", 1);
  Run({"run", "file"});
  EXPECT_EQ(values_.trials, 64);
  Run({"run", "file", "1x1x1"});
  EXPECT_EQ(values_.trials, 3);
}

TEST_F(ProgramTest, WrongSettingNamesItsPlace) {
  EXPECT_THAT(Error({"run"}, File(R"({"trials": -1})")),
              HasSubstr(path() + ": 'trials': give a whole number from 0 up"));
  EXPECT_THAT(Error({"run"}, File(R"({"color": "nevr"})")), HasSubstr("did you mean 'never'"));
  EXPECT_THAT(Error({"run"}, File(R"({"log": "a.db"})")), HasSubstr("is not an absolute path: 'a.db'"));
  EXPECT_THAT(Error({"run"}, File(R"({"quiet": "loud"})")), HasSubstr("must be true or false, not 'loud'"));
  setenv("MMTUNE_QUIET", "2", 1);
  EXPECT_THAT(Error({"run"}), HasSubstr("MMTUNE_QUIET must be true or false"));
  setenv("MMTUNE_QUIET", "1", 1);
  Run({"run"});
  EXPECT_TRUE(values_.quiet);
}

TEST_F(ProgramTest, InnerObjectsOfTheFileJoinTheirNames) {
  const Settings settings = File(R"({"tls": {"ca": "/a", "key": "/b"}, "wait": 1.5})");
  EXPECT_EQ(settings.Find("tls-ca")->value, "/a");
  EXPECT_EQ(settings.Find("tls-key")->origin, path());
  EXPECT_EQ(settings.Find("wait")->value, "1.5");
  EXPECT_FALSE(settings.Find("tls"));
  EXPECT_EQ(VariableOf("tls-ca"), "MMTUNE_TLS_CA");
}

TEST_F(ProgramTest, UnknownKeyNamesFileAndWhatIsMeant) {
  const Settings settings = File(R"({"sever": "a:1"})");
  const std::string error(settings.CheckKeys({"log", "server"}).message());
  EXPECT_EQ(error, path() + ": there is no setting 'sever'; did you mean 'server'?");
  EXPECT_TRUE(settings.CheckKeys({"sever"}).ok());
  std::vector<std::string> names;
  for (const auto& [name, value] : SettingOptions(program_)) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("color", "log", "quiet", "server", "trials"));
}

TEST_F(ProgramTest, FileThatCannotBeReadIsNamed) {
  for (const char* text :
       {"nonsense", "[]", R"({"a": [1]})", R"({"a": null})", R"({"tls": {"ca": "/a"}, "tls-ca": "/b"})"}) {
    ASSERT_TRUE(WriteWholeFile(path(), text).ok());
    EXPECT_THAT(std::string(Settings::Read(path()).status().message()), HasSubstr(path() + ": ")) << text;
  }
  EXPECT_TRUE(Settings::Read(folder_.File("none")).ok());
}

TEST_F(ProgramTest, MistypedWordsAreAnsweredWithTheMeantOnes) {
  EXPECT_EQ(Error({"rum"}), "there is no command 'rum'; did you mean 'run'? See tool --help");
  EXPECT_EQ(Error({"run", "--trails", "3"}),
            "tool run has no option --trails; did you mean '--trials'? See tool run --help");
  EXPECT_EQ(Error({"run", "--color", "nevr"}),
            "--color: there is no 'nevr', only auto, never, always; did you mean 'never'? See tool run --help");
  EXPECT_EQ(Error({"run", "--databse", "x"}),
            "tool run has no option --databse; did you mean '--log'? See tool run --help")
      << "the name that other programs have for it";
  EXPECT_EQ(Error({"run", "--portt", "x"}), "tool run has no option --portt; see tool run --help")
      << "it has no --listen";
  EXPECT_EQ(Error({"jobs"}), "a command is required");
  EXPECT_EQ(Error({"jobs", "--server", "x"}), "a command is required before --server");
  EXPECT_EQ(Error({"--versio"}), "a command is required before --versio; did you mean '--version'?");
  EXPECT_EQ(Error({"jobs", "lst"}), "there is no command 'lst'; did you mean 'list'? See tool jobs --help");
  EXPECT_THAT(Error({"run", "a", "b"}), HasSubstr("not expected: b"));
  EXPECT_THAT(Error({"run", "--log", ""}), HasSubstr("its value is empty"));
}

TEST_F(ProgramTest, MissingOptionIsNamedAsItIsTyped) {
  CLI::App& write = *program_.add_subcommand("write", "Writes something");
  std::string output, input;
  write.add_option("INPUT", input, "What to read")->required();
  write.add_option("-o,--output", output, "Where it goes")->type_name("FILE")->required();
  EXPECT_EQ(Error({"write", "in"}), "-o FILE is required; see tool write --help");
  EXPECT_EQ(Error({"write", "-o", "out"}), "INPUT is required; see tool write --help");
}

TEST_F(ProgramTest, RepeatedOptionAndMissingValueAreNamed) {
  EXPECT_EQ(Error({"run", "--trials", "3", "--trials", "4"}),
            "--trials is given 2 times; give it once; see tool run --help");
  EXPECT_EQ(Error({"run", "--server"}), "--server needs a value: ADDR; see tool run --help");
  EXPECT_EQ(Error({"run", "--color"}), "--color needs a value: auto|never|always; see tool run --help");
}

TEST_F(ProgramTest, ValueThatLooksLikeAnOptionIsAValue) {
  Run({"run", "--server", "--frob"});
  EXPECT_EQ(values_.server, "--frob");
  Run({"run", "--", "--frob"});
  EXPECT_EQ(values_.file, "--frob");
}

TEST_F(ProgramTest, HelpHasGroupsAndHidesRareOptions) {
  const std::string help = Text({"run", "--help"});
  EXPECT_THAT(help, HasSubstr("Usage: tool run [OPTIONS] [FILE]\n"));
  EXPECT_THAT(help, HasSubstr("\nOptions:\n  --trials N "));
  EXPECT_THAT(help, HasSubstr("How often (default: 64)"));
  EXPECT_THAT(help, HasSubstr("  -l, --log FILE"));
  EXPECT_THAT(help, HasSubstr("(not with --server)"));
  EXPECT_THAT(help, HasSubstr("\nOutput:\n  --color auto|never|always"));
  EXPECT_THAT(help, HasSubstr("--help-all shows 1 more option"));
  EXPECT_THAT(help, Not(HasSubstr("--rare")));
  EXPECT_THAT(Text({"run", "--help-all"}), HasSubstr("\nRare:\n  --rare"));
}

TEST_F(ProgramTest, HelpOfAProgramListsCommandsAndExitCodes) {
  const std::string help = Text({"--help"});
  EXPECT_THAT(help, HasSubstr("  run   Runs something\n"));
  for (const ExitCodeEntry& entry : kExitCodes) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::to_string(Number(entry.code)) + " "));
  }
}

TEST_F(ProgramTest, LinesOfHelpFitTheWidth) {
  for (const size_t width : {40u, 80u, 100u, 1000u}) {
    const std::vector<std::string> lines = absl::StrSplit(Text({"--help"}, width), '\n');
    EXPECT_THAT(lines, Each(SizeIs(testing::Le(std::min<size_t>(width, 100))))) << width;
  }
}

TEST(WrapTest, KeepsExamplesAndLongWords) {
  EXPECT_THAT(Wrap("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrap("abcdefghij k", 4), ElementsAre("abcdefghij", "k"));
  EXPECT_THAT(Wrap("a b\n\nExamples:\n  tool  run\n", 80), ElementsAre("a b", "", "Examples:", "  tool  run"));
}

TEST_F(ProgramTest, GeneratedTextsNameEveryOptionAndValue) {
  for (const char* kind : {"man", "bash", "zsh", "fish"}) {
    const std::string text = Text({"--generate", kind});
    for (const char* word : {"run", "jobs", "list", "trials", "color", "never"})
      EXPECT_THAT(text, HasSubstr(word)) << kind;
  }
  EXPECT_THAT(Error({"--generate", "ksh"}), HasSubstr("man, bash, zsh or fish"));
}

TEST_F(ProgramTest, VersionNamesTheCommitOrItsAbsence) {
  EXPECT_THAT(Text({"--version"}), testing::MatchesRegex("mmtune [0-9.]+ \\((commit [0-9a-f]+|no commit: .*)\\)\n"));
}

}  // namespace
}  // namespace mmtune
