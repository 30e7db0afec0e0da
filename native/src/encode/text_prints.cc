// See text_prints.h.
#include "encode/text_prints.h"

#include <algorithm>

namespace colkit {
namespace {

// FNV-1a, whose steps wait for each other: several texts at a time, as far as all of them go.
constexpr uint32_t kStart = 0x811c9dc5u;
constexpr uint32_t kPrime = 0x01000193u;
constexpr size_t kTogether = 4;

}  // namespace

void PrintTexts(const Texts& texts, unsigned bits, uint32_t* prints) {
  const unsigned shift = 32 - bits;
  for (size_t first = 0; first < texts.count; first += kTogether) {
    const size_t some = std::min(kTogether, texts.count - first);
    const uint8_t* at[kTogether];
    uint32_t left[kTogether];
    uint32_t shortest = UINT32_MAX;
    for (size_t i = 0; i < some; ++i) {
      const uint32_t from = first + i == 0 ? texts.start : texts.ends[first + i - 1];
      at[i] = texts.bytes + from;
      left[i] = texts.ends[first + i] - from;
      shortest = std::min(shortest, left[i]);
    }
    uint32_t hashes[kTogether] = {kStart, kStart, kStart, kStart};
    uint32_t done = 0;
    if (some == kTogether) {
      for (; done < shortest; ++done) {
        for (size_t i = 0; i < kTogether; ++i) hashes[i] = (hashes[i] ^ at[i][done]) * kPrime;
      }
    }
    for (size_t i = 0; i < some; ++i) {
      uint32_t hash = hashes[i];
      for (uint32_t byte = done; byte < left[i]; ++byte) hash = (hash ^ at[i][byte]) * kPrime;
      prints[first + i] = hash >> shift;
    }
  }
}

}  // namespace colkit
