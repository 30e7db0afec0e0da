// See text_blocks.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_blocks.h"

#include <cstring>

#include "decode/inflate.h"
#include "decode/node_reader.h"

namespace colkit {
namespace {

constexpr unsigned kSmallestTextBlockLog2 = 10;
constexpr unsigned kLargestTextBlockLog2 = 20;
constexpr unsigned kMostFingerprintBits = 8;
constexpr uint32_t kMostHistoryBytes = uint32_t{1} << 15;

}  // namespace

bool TextBlocks::Read(const PageBody& body, const Node& node, const uint32_t** ends) {
  NodeReader reader(body, node);
  byte_length_ = reader.Number<uint32_t>();
  block_log2_ = reader.Number<uint8_t>();
  fingerprint_bits_ = reader.Number<uint8_t>();
  history_bytes_ = reader.Number<uint16_t>();
  history_stored_ = reader.Number<uint32_t>();
  reader.Take(4);
  if (!reader.ok() || node.parameter != 0 || block_log2_ < kSmallestTextBlockLog2 ||
      block_log2_ > kLargestTextBlockLog2 || fingerprint_bits_ > kMostFingerprintBits ||
      history_bytes_ > kMostHistoryBytes || history_stored_ > history_bytes_ ||
      (history_stored_ == 0) != (history_bytes_ == 0) || byte_length_ > kMostTextBytes ||
      byte_length_ > kMostInflation * (node.end - node.start))
    return false;
  const Node lengths_node = reader.Child(node.count);
  Node prints_node = {};
  if (fingerprint_bits_ > 0) prints_node = reader.Child(node.count);
  const uint32_t block_bytes = uint32_t{1} << block_log2_;
  block_count_ = (byte_length_ + block_bytes - 1) >> block_log2_;
  Node sizes_node = {};
  if (block_count_ > 0) sizes_node = reader.Child(block_count_);
  history_ = reader.Take(history_stored_);
  if (!reader.ok()) return false;

  Arena* arena = body.arena;
  const uint32_t* lengths = DecodeNumbers(body, lengths_node, uint64_t{byte_length_} + 1);
  uint32_t* sums = arena->Take<uint32_t>(node.count);
  if (lengths == nullptr || sums == nullptr) return false;
  uint64_t end = 0;
  for (uint32_t i = 0; i < node.count; ++i) {
    end += lengths[i];
    sums[i] = static_cast<uint32_t>(end);
  }
  if (end != byte_length_) return false;
  *ends = sums;
  if (fingerprint_bits_ > 0) {
    fingerprints_ = DecodeNumbers(body, prints_node, uint64_t{1} << fingerprint_bits_);
    if (fingerprints_ == nullptr) return false;
  }
  uint32_t* offsets = arena->Take<uint32_t>(size_t{block_count_} + 1);
  loaded_ = arena->Take<uint8_t>(block_count_);
  buffer_ = arena->Take<uint8_t>(byte_length_);
  room_ = arena->Take<uint8_t>(size_t{history_bytes_} + block_bytes);
  if (offsets == nullptr || loaded_ == nullptr || buffer_ == nullptr || room_ == nullptr) return false;
  uint64_t at = 0;
  if (block_count_ > 0) {
    const uint32_t* sizes = DecodeNumbers(body, sizes_node, uint64_t{block_bytes} + 1);
    if (sizes == nullptr) return false;
    for (uint32_t block = 0; block < block_count_; ++block) {
      const uint32_t left = byte_length_ - (block << block_log2_);
      if (sizes[block] == 0 || sizes[block] > (left < block_bytes ? left : block_bytes)) return false;
      offsets[block] = static_cast<uint32_t>(at);
      at += sizes[block];
    }
    std::memset(loaded_, 0, block_count_);
  }
  offsets[block_count_] = static_cast<uint32_t>(at);
  offsets_ = offsets;
  stored_ = reader.Take(at);
  return reader.AtEnd();
}

bool TextBlocks::Load(uint32_t start, uint32_t end) {
  if (start >= end) return true;
  is_fresh_ = false;
  const uint32_t last = (end - 1) >> block_log2_;
  for (uint32_t block = start >> block_log2_; block <= last; ++block) {
    if (loaded_[block] == 0 && !LoadBlock(block)) return false;
  }
  return true;
}

bool TextBlocks::LoadBlock(uint32_t block) {
  const uint32_t at = block << block_log2_;
  const uint32_t left = byte_length_ - at;
  const uint32_t bytes = left >> block_log2_ == 0 ? left : uint32_t{1} << block_log2_;
  const uint8_t* stored = stored_ + offsets_[block];
  const uint32_t stored_bytes = offsets_[block + 1] - offsets_[block];
  if (stored_bytes == bytes) {
    std::memcpy(buffer_ + at, stored, bytes);
  } else {
    if (!has_history_ && history_bytes_ > 0) {
      if (history_stored_ == history_bytes_)
        std::memcpy(room_, history_, history_bytes_);
      else if (history_bytes_ > kMostInflation * history_stored_ ||
               !Inflate(history_, history_stored_, room_, history_bytes_))
        return false;
    }
    has_history_ = true;
    uint8_t* out = room_ + history_bytes_;
    if (bytes > kMostInflation * stored_bytes || !Inflate(stored, stored_bytes, out, bytes, history_bytes_))
      return false;
    std::memcpy(buffer_ + at, out, bytes);
  }
  loaded_[block] = 1;
  return true;
}

uint32_t TextHash(const uint8_t* bytes, uint32_t length) {
  uint32_t hash = 0x811c9dc5u;
  for (uint32_t i = 0; i < length; ++i) hash = (hash ^ bytes[i]) * 0x01000193u;
  return hash;
}

}  // namespace colkit
