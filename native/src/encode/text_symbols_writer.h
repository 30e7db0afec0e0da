// Byte strings -> the symbols that spell them in few codes, and their codes: the same as in TypeScript, to the byte.
#ifndef COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_
#define COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_

#include <cstddef>
#include <cstdint>

#include "encode/symbol_matcher.h"
#include "encode/text_codes.h"

namespace colkit {

constexpr uint32_t kMostRounds = 6;

// A sample is read in so many rounds, always by the longest symbols that there are, and two that follow each other
// often become one at once, until there are as many as there may be. Where that is so, and in all rounds, those that
// are used seldom make room, and it is read once more.
SymbolMatcher TrainSymbols(const Texts& texts, uint32_t rounds);

constexpr uint32_t kNoRank = UINT32_MAX;

// The codes of all texts back to back, of which there is room for one a byte, and how many each text has; the longest
// symbol that fits is taken each time. Codes are ranks among the symbols that are used, of which each symbol gets its
// own, or kNoRank. Returns how many codes there are.
size_t SpellTexts(const Texts& texts, const SymbolMatcher& matcher, uint32_t* codes, uint32_t* counts,
                  uint32_t* ranks);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_
