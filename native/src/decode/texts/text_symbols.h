// Byte strings in codes that stand for up to eight bytes each (FSST): a string is spelled out when it is needed.
#ifndef COLKIT_NATIVE_TEXT_SYMBOLS_H_
#define COLKIT_NATIVE_TEXT_SYMBOLS_H_

#include <cstdint>

#include "decode/column_nodes.h"
#include "decode/texts/lazy_texts.h"

namespace colkit {

class TextSymbols final : public LazyTexts {
 public:
  // What a node of FSST says, and where each string ends; false where it is declined.
  bool Read(const PageBody& body, const Node& node, const uint32_t** ends);

  bool Load(uint32_t start, uint32_t end) override;
  bool LoadString(uint32_t index, uint32_t start, uint32_t end) override;

 private:
  bool LoadFrom(uint32_t string, uint32_t start, uint32_t end);
  bool ReadSymbols(const uint8_t* lengths, const uint8_t* symbols, uint32_t count, Arena* arena);
  bool ReadEnds(const uint32_t* lengths, const uint32_t* code_counts, uint32_t code_bytes);

  uint32_t count_ = 0;
  uint32_t* ends_ = nullptr;       // of the strings in their bytes
  uint32_t* code_ends_ = nullptr;  // and in their codes
  const uint8_t* codes_ = nullptr;
  uint64_t* symbols_ = nullptr;         // of each code
  uint8_t* symbol_lengths_ = nullptr;  // 0: the code has no symbol
  bool is_whole_ = false;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_SYMBOLS_H_
