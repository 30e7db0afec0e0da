// Two columns of codes -> codes of the pairs that occur, in the order in which they first do.
#ifndef COLKIT_NATIVE_JOINT_CODES_H_
#define COLKIT_NATIVE_JOINT_CODES_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Writes the code of each pair, where there is room for codes. Returns how many pairs there are; `most` + 1 where there
// are more, after as much work as that took.
size_t JoinCodes(const uint32_t* first, const uint32_t* second, size_t count, size_t most, uint32_t* codes);

// A code for each row, `null_code` where its bit is 0. False where there are not as many codes as ones.
bool SpreadCodes(const uint32_t* codes, size_t code_count, const uint8_t* validity, uint32_t null_code, uint32_t* rows,
                 size_t row_count);

// to[codes[i]] = values[i], the last one of a code. False where a code has no place.
bool ScatterCodes(const uint32_t* codes, const uint32_t* values, size_t count, uint32_t* to, size_t room);

// to[i] = ranks[codes[i]]. False where a code has none.
bool MapCodes(const uint32_t* codes, size_t count, const uint32_t* ranks, size_t rank_count, uint32_t* to);

}  // namespace colkit

#endif  // COLKIT_NATIVE_JOINT_CODES_H_
