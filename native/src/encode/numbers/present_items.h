// Rows -> what is there of those that are not null, one after another: items of fixed width, and codes of texts.
#ifndef COLKIT_NATIVE_PRESENT_ITEMS_H_
#define COLKIT_NATIVE_PRESENT_ITEMS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Items of 1, 2, 4 or 8 bytes whose bit is 1, to `to`, which has room for `most` of them. Returns how many there are;
// `most` + 1 where there are more.
size_t PackPresent(const uint8_t* items, size_t count, size_t width, const uint8_t* validity, uint8_t* to, size_t most);

// What stands for the code of each row, or in place of codes (null) for its number; of rows whose bit is 1, where there
// is `validity`. As above; SIZE_MAX where nothing stands for a code.
template <typename Code>
size_t MapPresent(const Code* codes, size_t count, const uint8_t* validity, const uint32_t* ranks, size_t rank_count,
                  uint32_t* to, size_t most);

}  // namespace colkit

#endif  // COLKIT_NATIVE_PRESENT_ITEMS_H_
