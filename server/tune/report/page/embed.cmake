# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUT=page_parts.cc -DFOLDER=page -P embed.cmake: writes ReportPageParts() of report_page.h.
set(parts "")
foreach(file IN ITEMS ${FOLDER}/report.html ${FOLDER}/report.css ${FOLDER}/report.js)
  file(READ ${file} text)
  if(file MATCHES "\\.js$" AND text MATCHES "</[sS][cC][rR][iI][pP][tT]|<!--")
    message(FATAL_ERROR "${file} would end the script element that it stands in")
  endif()
  string(APPEND parts "    R\"PAGE(${text})PAGE\",\n")
endforeach()
file(WRITE ${OUT} "// Generated from server/tune/report/page.
#include \"server/tune/report/report_page.h\"

namespace mmtune {

const PageParts& ReportPageParts() {
  static constexpr PageParts kParts = {
${parts}  };
  return kParts;
}

}  // namespace mmtune
")
