// Byte strings -> the least or the largest of each group, by their bytes: of UTF-8 that is the order of code points.
#ifndef COLKIT_NATIVE_TEXT_EXTREMES_H_
#define COLKIT_NATIVE_TEXT_EXTREMES_H_

#include <cstddef>
#include <cstdint>

#include "copy/spread_texts.h"

namespace colkit {

struct TextRows {
  size_t count;
  // The text of each row, kNoText where it has none. Null: the texts are the rows.
  const uint32_t* codes;
  // The group of each row. Null: all are of group 0.
  const uint32_t* groups;
};

// Writes to best[group] the code of the text that is best there, kNoText where the group has no row with a text. False
// for a code without a text, a group that is none of `group_count`, and ends that fall or lie outside.
bool BestTexts(const TextTable& texts, const TextRows& rows, bool most, uint32_t* best, size_t group_count);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_EXTREMES_H_
