// Byte strings of which the bytes are compressed in blocks: each is inflated when it is first needed.
#ifndef COLKIT_NATIVE_TEXT_BLOCKS_H_
#define COLKIT_NATIVE_TEXT_BLOCKS_H_

#include <cstdint>

#include "decode/column_nodes.h"

namespace colkit {

// All of it in the body or the arena.
class TextBlocks {
 public:
  // What a node of BLOCKS says, and where each string ends; false where it is declined.
  bool Read(const PageBody& body, const Node& node, const uint32_t** ends);

  // All bytes, of which those from `start` to `end` are there; false where a block is not as the format says.
  bool Load(uint32_t start, uint32_t end);

  const uint8_t* bytes() const { return buffer_; }
  uint32_t byte_length() const { return byte_length_; }
  unsigned fingerprint_bits() const { return fingerprint_bits_; }
  // Of each string; null where there are none.
  const uint32_t* fingerprints() const { return fingerprints_; }

 private:
  bool LoadBlock(uint32_t block);

  const uint8_t* stored_ = nullptr;
  const uint32_t* offsets_ = nullptr;  // of the blocks in what is stored, and one more behind the last
  uint8_t* loaded_ = nullptr;          // a byte a block
  uint8_t* buffer_ = nullptr;
  uint8_t* room_ = nullptr;  // for the history and a block behind it
  uint32_t byte_length_ = 0;
  unsigned block_log2_ = 0;
  uint32_t block_count_ = 0;
  const uint8_t* history_ = nullptr;  // as stored
  uint32_t history_stored_ = 0;
  uint32_t history_bytes_ = 0;
  bool has_history_ = false;  // in the room
  unsigned fingerprint_bits_ = 0;
  const uint32_t* fingerprints_ = nullptr;
};

// The hash of which fingerprints are the highest bits.
uint32_t TextHash(const uint8_t* bytes, uint32_t length);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_BLOCKS_H_
