// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/field_list.h"

#include "proto/base/plain_text.h"
#include "server/tune/report/text_layout.h"

namespace mmtune {

std::string FieldList::Text(const TableStyle& style) const {
  if (style.csv) {
    std::vector<std::string> names, values;
    for (const auto& [name, value] : fields_) {
      names.push_back(name);
      values.push_back(PlainText(value));
    }
    return CsvLine(names) + CsvLine(values);
  }
  if (style.markdown) {
    Table table({{heading_, Align::kLeft}, {"", Align::kLeft}});
    for (const auto& [name, value] : fields_) table.AddRow({name, value});
    return table.Text(style);
  }
  LabelledLines lines(indent_, style.width);
  for (const auto& [name, value] : fields_) lines.Add(name, value);
  return lines.text();
}

}  // namespace mmtune
