# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUT=page_parts.cc -DFOLDER=page -DCHART=chart.min.js -P embed.cmake
#
# Writes ReportPageParts() of report_page.h.
file(READ ${CHART} chart LIMIT 200)
if(NOT chart MATCHES "Chart\\.js v3\\.")
  message(FATAL_ERROR "${CHART} is not Chart.js 3, which report.js is written for: install libjs-chart.js of Debian 12")
endif()
set(parts "")
foreach(file IN ITEMS ${FOLDER}/report.html ${FOLDER}/report.css ${FOLDER}/report.js ${CHART})
  file(READ ${file} text)
  if(file MATCHES "\\.js$" AND text MATCHES "</[sS][cC][rR][iI][pP][tT]|<!--")
    message(FATAL_ERROR "${file} would end the script element that it stands in")
  endif()
  string(APPEND parts "    R\"PAGE(${text})PAGE\",\n")
endforeach()
file(WRITE ${OUT} "// Generated from server/tune/report/page and Chart.js.
#include \"server/tune/report/report_page.h\"

namespace mmtune {

const PageParts& ReportPageParts() {
  static constexpr PageParts kParts = {
${parts}  };
  return kParts;
}

}  // namespace mmtune
")
