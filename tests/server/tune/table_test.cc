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

TEST(TableTest, WhereThereIsLittleRoomTheLeastColumnsGoAndAreNamed) {
  EXPECT_EQ(WideTable().Text({.width = 60}), WideTable().Text());
  EXPECT_EQ(WideTable().Text({.width = 40}),
            "id  problem           time [ms]\n"
            "--  ----------------  ---------\n"
            " 7  1024x512x256 f32       12.5\n"
            "not shown in 40 columns: device; 60\n"
            "columns show all\n");
  EXPECT_EQ(WideTable().Text({.width = 20}),
            "id  problem\n"
            "--  ----------------\n"
            " 7  1024x512x256 f32\n"
            "not shown in 20\n"
            "columns: device,\n"
            "time [ms]; 60\n"
            "columns show all\n");
}

TEST(TableTest, ThenTextContinuesOnFurtherLinesButNoNumber) {
  Table table({{"n"}, {"found", Align::kLeft}, {"do", Align::kLeft}});
  table.AddRow({"1", "a library that is absent", "install the package of it"});
  table.AddRow({"2", "averylongwordthathasnospace", ""});
  EXPECT_EQ(table.Text({.width = 31}),
            "n  found          do\n"
            "-  -------------  -------------\n"
            "1  a library      install the\n"
            "   that is        package of it\n"
            "   absent\n"
            "2  averylongword\n"
            "   thathasnospac\n"
            "   e\n");
  Table numbers({{"GFLOP/s"}});
  numbers.AddRow({"123456789"});
  EXPECT_EQ(numbers.Text({.width = 4}), numbers.Text());
}

TEST(TableTest, ColumnsThatTellNothingAreLeftOut) {
  Table table({{"id"},
               {"peak", Align::kRight, 0, LeaveOut::kIfEmpty},
               {"none", Align::kRight, 0, LeaveOut::kIfEmpty},
               {"tile", Align::kLeft, 0, LeaveOut::kIfEmptyOrAlike}});
  table.AddRow({"1", "50", "-", "64x64"});
  EXPECT_EQ(table.Text(), "id  peak  tile\n--  ----  -----\n 1    50  64x64\n") << "one row has nothing alike";
  table.AddRow({"2", "50", " ", "64x64"});
  EXPECT_EQ(table.Text(), "in all rows: tile 64x64\nid  peak\n--  ----\n 1    50\n 2    50\n");
  EXPECT_EQ(table.Text({.markdown = true}),
            "in all rows: tile 64x64\n\n| id | peak |\n|---:|---:|\n| 1 | 50 |\n| 2 | 50 |\n\n");
  table.AddRow({"3", "50", "", "32x64"});
  EXPECT_EQ(table.Text({.markdown = true}),
            "\n| id | peak | tile |\n|---:|---:|---|\n| 1 | 50 | 64x64 |\n| 2 | 50 | 64x64 |\n| 3 | 50 | 32x64 |\n\n");
}

TEST(TableTest, AConstantIsToldAboveTheTableEvenIfThereIsOneRow) {
  Table table({{"id"}, {"device", Align::kLeft, 1, LeaveOut::kIfConstant}});
  table.AddRow({"1", "simt-cpu (a CPU)"});
  EXPECT_EQ(table.Text({.width = 20}), "in all rows: device\nsimt-cpu (a CPU)\nid\n--\n 1\n");
  table.AddRow({"2", "a GPU"});
  EXPECT_EQ(table.Text(), "id  device\n--  ----------------\n 1  simt-cpu (a CPU)\n 2  a GPU\n");
}

TEST(TableTest, ColumnsThatFitAreShownThoughAWiderOneOfMoreImportanceIsNot) {
  Table table({{"id"}, {"tile", Align::kRight, 3}, {"device", Align::kLeft, 1}, {"threads", Align::kRight, 4}});
  table.AddRow({"1", "64x64", "simt-cpu (a CPU, 2 threads)", "256"});
  EXPECT_EQ(table.Text({.width = 20}),
            "id   tile  threads\n--  -----  -------\n 1  64x64      256\n"
            "not shown in 20\ncolumns: device; 47\ncolumns show all\n");
  EXPECT_EQ(table.Text({.width = 12}).substr(0, 10), "id   tile\n") << "the more important of two that fit";
}

TEST(TableTest, MarkdownHasEveryColumnAndNoCellEndsEarly) {
  Table table({{"name", Align::kLeft}, {"x", Align::kRight, 1}});
  table.AddRow({"a|b <i> *c* [%] [d](e)", "1.0  "}, Paint::kBold);
  EXPECT_EQ(table.Text({.width = 5, .markdown = true, .color = true}),
            "\n| name | x |\n|---|---:|\n| a\\|b \\<i> \\*c\\* [%] [d]\\(e) | 1.0 |\n\n");
}

TEST(TableTest, ColoursAreOfCellsAndChangeNoWidth) {
  Table table({{"a"}, {"b"}});
  table.AddRow({"1", "2.0  "}, Paint::kBold);
  table.AddRow({"10", "+3.0"});
  table.PaintCell(1, Paint::kRed);
  EXPECT_EQ(table.Text(), " a      b\n--  -----\n 1  2.0\n10   +3.0\n");
  EXPECT_EQ(table.Text({.color = true}),
            " a      b\n--  -----\n \x1b[1m1\x1b[0m  \x1b[1m2.0\x1b[0m\n10   \x1b[31m+3.0\x1b[0m\n");
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
