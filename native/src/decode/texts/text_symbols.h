// Byte strings in codes that stand for up to 32 bytes each (ONPAIR): a string is spelled out when it is needed.
#ifndef COLKIT_NATIVE_TEXT_SYMBOLS_H_
#define COLKIT_NATIVE_TEXT_SYMBOLS_H_

#include <cstdint>

#include "decode/column_nodes.h"
#include "decode/texts/lazy_texts.h"

namespace colkit {

class NodeReader;

class TextSymbols final : public LazyTexts {
 public:
  // What a node of ONPAIR says, and where each string ends; false where it is declined.
  bool Read(const PageBody& body, const Node& node, const uint32_t** ends);

  bool Load(uint32_t start, uint32_t end) override;
  bool LoadString(uint32_t index, uint32_t start, uint32_t end) override;
  bool LoadListed(const uint32_t* indexes, uint32_t count, const uint32_t* ends) override;
  // By the string's first code.
  bool MayBegin(uint32_t index, uint64_t eight) override;

 private:
  bool LoadStrings(uint32_t first, uint32_t last);
  bool Spell(const uint32_t* codes, uint32_t first, uint32_t last);
  template <uint32_t kRoom>
  bool SpellStrings(const uint32_t* codes, uint32_t first, uint32_t last);
  bool ReadSymbols(const uint32_t* shared, const uint32_t* own, NodeReader* reader);
  bool ReadEnds(NodeValues lengths, NodeValues code_counts);
  bool DecodeCodes();
  bool MayPick(uint32_t count);
  const uint32_t* Codes(uint32_t start, uint32_t end);
  uint32_t FirstCode(uint32_t string) const { return string == 0 ? 0 : code_ends_[string - 1]; }

  PageBody body_ = {};
  Node codes_node_ = {};
  uint32_t count_ = 0;
  uint32_t code_count_ = 0;
  uint32_t symbol_count_ = 0;
  uint32_t* ends_ = nullptr;         // of the strings in their bytes
  uint32_t* code_ends_ = nullptr;    // and in their codes
  const uint32_t* codes_ = nullptr;  // all of them; null: they were not decoded
  uint64_t picking_ = 0;             // what it took to pick some, counted in decoded ones

  uint32_t symbol_room_ = kMostSymbolBytes;
  uint8_t* symbols_ = nullptr;  // so many bytes for each code
  uint8_t* symbol_lengths_ = nullptr;
  uint32_t* spelled_ = nullptr;  // where each code of what is spelled out ends, and where the first one begins
  bool is_whole_ = false;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_SYMBOLS_H_
