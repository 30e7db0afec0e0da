// Two columns of codes -> codes of the pairs that occur, in the order in which they first do.
#ifndef COLKIT_NATIVE_JOINT_CODES_H_
#define COLKIT_NATIVE_JOINT_CODES_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Writes the code of each pair, where there is room for codes. Returns how many pairs there are; `most` + 1 where there
// are more, after as much work as that took.
size_t JoinCodes(const uint32_t* first, const uint32_t* second, size_t count, size_t most, uint32_t* codes);

}  // namespace colkit

#endif  // COLKIT_NATIVE_JOINT_CODES_H_
