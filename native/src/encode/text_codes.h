// Byte strings -> codes of the distinct ones, in the order in which they first occur.
#ifndef COLKIT_NATIVE_TEXT_CODES_H_
#define COLKIT_NATIVE_TEXT_CODES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace colkit {

// Texts back to back: text i is bytes [ends[i - 1], ends[i]), the first begins at `start`. Whoever calls has checked
// that ends never fall and lie within the bytes.
struct Texts {
  const uint8_t* bytes;
  const uint32_t* ends;
  size_t count;
  uint32_t start;
  // One bit a text: 0 for those that are passed over, with code 0. Null: none is.
  const uint8_t* valid;
};

constexpr size_t kBadEnds = SIZE_MAX;

// Writes the code of each text, and tells for each code the index of its first text. Returns how many codes there are;
// `most` + 1 where there are more, after as much work as that took. Reads each end once, and checks those it reads:
// kBadEnds where one falls or lies beyond the bytes.
size_t CodeTexts(const Texts& texts, size_t byte_length, uint32_t* codes, std::vector<uint32_t>* firsts_of_codes,
                 size_t most);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_CODES_H_
