// Texts of fixed width as they lie, compared by code points without being decoded: bytes (a character each) or UCS-4
// code points, padded with NUL. What is no character counts as U+FFFD, as in the strings that such items become.
#ifndef COLKIT_NATIVE_RAW_TEXT_H_
#define COLKIT_NATIVE_RAW_TEXT_H_

#include <cstddef>
#include <cstdint>

#include "raw/raw_request.h"

namespace colkit {

// 1 for each item that lies between the bounds of the node (or begins with its prefix), else 0; flipped where it says
// so.
void MatchTexts(const RawNode& node, const RawColumn& column, const uint8_t* items, size_t count, uint8_t* mask);

// The first of the items whose text is the best one, where it is better than `best` (null: anything is); -1: none is.
// `mask`: 1 for those that are looked at; null: all are.
int64_t BestText(const RawColumn& column, bool most, const uint8_t* best, const uint8_t* items, size_t count,
                 const uint8_t* mask);

// The first bytes of some of the items as numbers that order as their texts do, as far as they go.
void TextKeys(const RawColumn& column, const uint8_t* items, const uint16_t* rows, size_t count, uint64_t* keys);
// Whether they are all of an item.
bool AreWholeTexts(const RawColumn& column);

// Below 0, 0, above 0: how two items of the column order.
int CompareTexts(const RawColumn& column, const uint8_t* a, const uint8_t* b);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_TEXT_H_
