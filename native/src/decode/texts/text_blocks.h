// Byte strings of which the bytes are compressed in blocks: each is inflated when it is first needed.
#ifndef COLKIT_NATIVE_TEXT_BLOCKS_H_
#define COLKIT_NATIVE_TEXT_BLOCKS_H_

#include <cstdint>

#include "decode/column_nodes.h"
#include "decode/texts/lazy_texts.h"

namespace colkit {

class TextBlocks final : public LazyTexts {
 public:
  // What a node of BLOCKS says, and where each string ends; false where it is declined.
  bool Read(const PageBody& body, const Node& node, const uint32_t** ends);

  bool Load(uint32_t start, uint32_t end) override;

 private:
  bool LoadBlock(uint32_t block);

  const uint8_t* stored_ = nullptr;
  const uint32_t* offsets_ = nullptr;  // of the blocks in what is stored, and one more behind the last
  uint8_t* loaded_ = nullptr;          // a byte a block
  uint8_t* room_ = nullptr;  // for the history and a block behind it
  unsigned block_log2_ = 0;
  uint32_t block_count_ = 0;
  const uint8_t* history_ = nullptr;  // as stored
  uint32_t history_stored_ = 0;
  uint32_t history_bytes_ = 0;
  bool has_history_ = false;  // in the room
};

// The hash of which fingerprints are the highest bits.
uint32_t TextHash(const uint8_t* bytes, uint32_t length);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_BLOCKS_H_
