// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/table.h"

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
  EXPECT_EQ(table.Text(), "a  b\n-  -\n1\n1  2\n");
}

TEST(TableTest, CellsCannotReachTheTerminal) {
  Table table({{"a"}});
  table.AddRow({"\x1b[2Jx\ny"});
  EXPECT_EQ(table.Text(), "  a\n---\nx y\n");
}

Table WideTable() {
  Table table({{"id"}, {"problem", Align::kLeft}, {"device", Align::kLeft, 2}, {"time [ms]", Align::kRight, 1}});
  table.AddRow({"7", "1024x512x256 f32", "simt-cpu (a CPU, 2 threads)", "12.5"});
  return table;
}

TEST(TableTest, WhereThereIsLittleRoomTheLeastColumnsGo) {
  EXPECT_EQ(WideTable().Text(60), WideTable().Text());
  EXPECT_EQ(WideTable().Text(40),
            "id  problem           time [ms]\n"
            "--  ----------------  ---------\n"
            " 7  1024x512x256 f32       12.5\n");
  EXPECT_EQ(WideTable().Text(20),
            "id  problem\n"
            "--  ----------------\n"
            " 7  1024x512x256 f32\n");
}

TEST(TableTest, ThenTextIsCutButNoNumber) {
  EXPECT_EQ(WideTable().Text(15), "id  problem\n--  -----------\n 7  1024x512...\n");
  EXPECT_EQ(WideTable().Text(1), "id  problem\n--  --------\n 7  1024x...\n");
  Table numbers({{"GFLOPS"}});
  numbers.AddRow({"123456789"});
  EXPECT_EQ(numbers.Text(4), numbers.Text());
}

TEST(CsvLineTest, QuotesWhatNeedsIt) {
  EXPECT_EQ(CsvLine({"x,y", "say \"hi\"", "plain", ""}), "\"x,y\",\"say \"\"hi\"\"\",plain,\n");
}

TEST(CsvLineTest, WhatASpreadsheetWouldComputeIsText) {
  EXPECT_EQ(CsvLine({"=1+1"}), "'=1+1\n");
  EXPECT_EQ(CsvLine({"=cmd|' /C calc'!A0"}), "'=cmd|' /C calc'!A0\n");
  EXPECT_EQ(CsvLine({"=HYPERLINK(\"http://x\",1)"}), "\"'=HYPERLINK(\"\"http://x\"\",1)\"\n");
  EXPECT_EQ(CsvLine({"+A1", "-A1", "@SUM(A1)", "\tx"}), "'+A1,'-A1,'@SUM(A1),'\tx\n");
  EXPECT_EQ(CsvLine({"  =1",
                     "\xef\xbc\x9d"
                     "1"}),
            "'  =1,'\xef\xbc\x9d"
            "1\n");
  EXPECT_EQ(CsvLine({"-1", "+2.5", "-1e-9", "a=b", "x-1", "user@host", "-inf"}),
            "-1,+2.5,-1e-9,a=b,x-1,user@host,-inf\n");
}

}  // namespace
}  // namespace mmtune
