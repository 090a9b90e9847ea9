#include "server/cli/table.h"

#include "gtest/gtest.h"

namespace mmtune {
namespace {

TEST(TableTest, AlignsColumns) {
  Table table({{"name", Align::kLeft}, {"time [ms]"}});
  table.AddRow({"naive", "123.4"});
  table.AddRow({"register-blocked", "9.1"});
  EXPECT_EQ(table.Text(),
            "name              time [ms]\n"
            "----------------  ---------\n"
            "naive                 123.4\n"
            "register-blocked        9.1\n");
}

TEST(TableTest, LeavesNoSpacesAtLineEnds) {
  Table table({{"a"}, {"b", Align::kLeft}});
  table.AddRow({"1", ""});
  EXPECT_EQ(table.Text(), "a  b\n-  -\n1\n");
}

TEST(TableTest, CountsCharactersNotBytes) {
  Table table({{"a", Align::kLeft}, {"b"}});
  table.AddRow({"\xc2\xb5s", "1"});
  table.AddRow({"ns", "2"});
  EXPECT_EQ(table.Text(), "a   b\n--  -\n\xc2\xb5s  1\nns  2\n");
}

TEST(TableTest, FillsAndCutsRows) {
  Table table({{"a"}, {"b"}});
  table.AddRow({"1"});
  table.AddRow({"1", "2", "3"});
  EXPECT_EQ(table.Csv(), "a,b\n1,\n1,2\n");
}

TEST(TableTest, CellsCannotReachTheTerminal) {
  Table table({{"a"}});
  table.AddRow({"\x1b[2Jx\ny"});
  EXPECT_EQ(table.Csv(), "a\nx y\n");
}

TEST(TableTest, CsvQuotesWhatNeedsIt) {
  Table table({{"a"}, {"b"}, {"c"}});
  table.AddRow({"x,y", "say \"hi\"", "plain"});
  EXPECT_EQ(table.Csv(), "a,b,c\n\"x,y\",\"say \"\"hi\"\"\",plain\n");
}

}  // namespace
}  // namespace mmtune
