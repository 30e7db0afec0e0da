// Byte strings -> the symbols that spell them in few codes, and their codes: the same as in TypeScript, to the byte.
#ifndef COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_
#define COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_

#include <cstddef>
#include <cstdint>

#include "encode/symbol_matcher.h"
#include "encode/text_codes.h"

namespace colkit {

// In a few rounds over a sample, in each of which symbols that follow each other often become one, and those that save
// least are dropped.
SymbolSet TrainSymbols(const Texts& texts);

// The codes of all texts back to back, of which there is room for two a byte, and how many each text has; the longest
// symbol that fits is taken each time. Returns how many codes there are.
size_t SpellTexts(const Texts& texts, const SymbolMatcher& matcher, uint8_t* codes, uint32_t* counts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_SYMBOLS_WRITER_H_
