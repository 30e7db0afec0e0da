// See text_folds.h.
#include "pages/texts/text_folds.h"

#include <algorithm>
#include <cstring>

#include "texts/characters.h"

namespace colkit {
namespace {

uint64_t EightAt(const uint8_t* bytes, uint32_t at, uint32_t byte_length) {
  uint64_t word = 0;
  std::memcpy(&word, bytes + at, std::min<uint32_t>(byte_length - at, sizeof word));
  return word;
}

}  // namespace

bool FoldTexts(const uint8_t* folds, uint32_t fold_bytes, Arena* arena, TextValues* texts) {
  constexpr uint64_t kEach = 0x0101010101010101;
  const uint32_t byte_length = texts->byte_length;
  auto* lower = arena->Take<uint8_t>(size_t{byte_length} + sizeof(uint64_t));
  if (lower == nullptr) return false;
  uint64_t any = 0;
  for (uint32_t at = 0; at < byte_length; at += sizeof(uint64_t)) {
    const uint64_t word = EightAt(texts->bytes, at, byte_length);
    any |= word;
    // Of each byte the highest bit tells whether it is at least 'A', and whether it is above 'Z'.
    const uint64_t low = word & 0x7f * kEach;
    const uint64_t upper = (low + (0x80 - 'A') * kEach) ^ (low + (0x7f - 'Z') * kEach);
    const uint64_t folded = word | (upper & ~word & 0x80 * kEach) >> 2;
    std::memcpy(lower + at, &folded, sizeof folded);
  }
  texts->bytes = lower;
  if (fold_bytes == 0 || (any & 0x80 * kEach) == 0) return true;
  // A character of two bytes may become one of three.
  auto* bytes = arena->Take<uint8_t>(size_t{byte_length} * 2);
  auto* ends = arena->Take<uint32_t>(texts->count);
  if (bytes == nullptr || ends == nullptr) return false;
  uint32_t at = 0;
  uint32_t out = 0;
  for (uint32_t text = 0; text < texts->count; ++text) {
    const uint32_t end = texts->ends[text];
    while (at < end) {
      const uint8_t* to = lower + at;
      uint32_t to_bytes = 1;
      uint32_t from_bytes = 1;
      for (uint32_t i = 0; *to >= 0x80 && i < fold_bytes; i += sizeof(TextFold)) {
        TextFold fold;
        std::memcpy(&fold, folds + i, sizeof fold);
        const uint32_t length = CharacterLength(fold.from, fold.from + sizeof fold.from);
        if (length < 2 || length > end - at || std::memcmp(fold.from, to, length) != 0) continue;
        to = folds + i + sizeof fold.from;
        to_bytes = CharacterLength(to, to + sizeof fold.to);
        from_bytes = length;
        break;
      }
      for (uint32_t i = 0; i < to_bytes; ++i) bytes[out++] = to[i];
      at += from_bytes;
    }
    ends[text] = out;
  }
  texts->bytes = bytes;
  texts->ends = ends;
  texts->byte_length = out;
  return true;
}

}  // namespace colkit
