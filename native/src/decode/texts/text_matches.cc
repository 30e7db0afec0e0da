// See text_matches.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_matches.h"

#include <cstring>

#include "decode/node_reader.h"

namespace colkit {
namespace {

constexpr uint32_t kShortestMatch = 2;
constexpr uint32_t kMostOffsetCode = 104;
// Codes up to this one are their offsets.
constexpr uint32_t kSingleOffsets = 8;
constexpr uint64_t kMostPartsPerByte = 8;
// Bytes that are copied at a time: so many may be written behind the end.
constexpr uint32_t kCopied = 16;
static_assert(kCopied <= Arena::kSlack / 2, "what is written beyond the end has room");

// Bits from the least significant one on; beyond the end they are zeros.
class RestBits {
 public:
  RestBits(const uint8_t* bytes, uint64_t byte_length) : bytes_(bytes), byte_length_(byte_length) {}

  // At most 24.
  uint32_t Next(uint32_t width) {
    uint32_t word = 0;
    const uint64_t at = position_ / 8;
    if (at + sizeof word <= byte_length_)
      std::memcpy(&word, bytes_ + at, sizeof word);
    else if (at < byte_length_)
      std::memcpy(&word, bytes_ + at, byte_length_ - at);
    const uint32_t bits = word >> (position_ % 8) & ((1u << width) - 1);
    position_ += width;
    return bits;
  }

  uint64_t position() const { return position_; }

 private:
  const uint8_t* bytes_;
  uint64_t byte_length_;
  uint64_t position_ = 0;
};

void CopyLiterals(const uint32_t* literals, uint32_t count, uint8_t* out) {
  for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(literals[i]);
}

// A match; up to kCopied bytes may be written behind its end.
void CopyMatch(uint8_t* out, uint32_t offset, uint32_t length) {
  const uint8_t* from = out - offset;
  if (offset >= kCopied) {
    for (uint32_t i = 0; i < length; i += kCopied) std::memcpy(out + i, from + i, kCopied);
  } else {
    for (uint32_t i = 0; i < length; ++i) out[i] = from[i];
  }
}

struct Parts {
  uint32_t literal_count;
  uint32_t match_count;
  const uint32_t* literals;
  const uint32_t* runs;
  const uint32_t* lengths;
  const uint32_t* codes;
};

// Fills `out`; false where the parts give other bytes than it has.
bool CopyParts(const Parts& parts, RestBits* rest, uint8_t* out, uint32_t byte_length) {
  uint32_t at = 0;
  uint32_t literal = 0;
  uint32_t offset = 1;
  for (uint32_t i = 0; i < parts.match_count; ++i) {
    const uint32_t run = parts.runs[i];
    const uint32_t length = parts.lengths[i];
    const uint32_t code = parts.codes[i];
    if (code > kSingleOffsets) {
      const uint32_t value = code - kSingleOffsets - 1;
      const uint32_t width = 1 + value / 4;
      offset = 1 + ((4 + value % 4) << width) + rest->Next(width);
    } else if (code > 0) {
      offset = code;
    }
    if (run > parts.literal_count - literal || run > byte_length - at || length < kShortestMatch ||
        length > byte_length - at - run || offset > at + run)
      return false;
    CopyLiterals(parts.literals + literal, run, out + at);
    literal += run;
    at += run;
    CopyMatch(out + at, offset, length);
    at += length;
  }
  if (parts.literal_count - literal != byte_length - at) return false;
  CopyLiterals(parts.literals + literal, parts.literal_count - literal, out + at);
  return true;
}

}  // namespace

bool DecodeTextMatches(const PageBody& body, const Node& node, TextValues* texts) {
  NodeReader reader(body, node);
  const uint32_t byte_length = reader.Number<uint32_t>();
  const uint32_t literal_count = reader.Number<uint32_t>();
  const uint32_t match_count = reader.Number<uint32_t>();
  reader.Take(4);
  const uint64_t node_bytes = node.end - node.start;
  if (!reader.ok() || node.parameter != 0 || byte_length > kMostTextBytes ||
      byte_length > kMostInflation * node_bytes ||
      literal_count + uint64_t{kShortestMatch} * match_count > byte_length ||
      literal_count + uint64_t{match_count} > kMostPartsPerByte * node_bytes)
    return false;
  // In the order in which they are stored; without literals or matches they are not.
  const auto numbers = [&](uint32_t count, uint64_t limit, const uint32_t** found) {
    *found = nullptr;
    if (count == 0) return true;
    const Node child = reader.Child(count);
    if (reader.ok()) *found = DecodeNumbers(body, child, limit);
    return *found != nullptr;
  };
  Parts parts = {literal_count, match_count, nullptr, nullptr, nullptr, nullptr};
  const uint32_t* sizes;
  if (!numbers(node.count, uint64_t{byte_length} + 1, &sizes) || !numbers(literal_count, 256, &parts.literals) ||
      !numbers(match_count, uint64_t{literal_count} + 1, &parts.runs) ||
      !numbers(match_count, uint64_t{byte_length} + 1, &parts.lengths) ||
      !numbers(match_count, kMostOffsetCode + 1, &parts.codes))
    return false;
  uint32_t* ends = body.arena->Take<uint32_t>(node.count);
  uint8_t* bytes = body.arena->Take<uint8_t>(byte_length);
  if (ends == nullptr || bytes == nullptr) return false;
  uint64_t end = 0;
  for (uint32_t i = 0; i < node.count; ++i) {
    end += sizes[i];
    ends[i] = static_cast<uint32_t>(end);
  }
  const uint64_t rest_bytes = reader.Left();
  RestBits rest(reader.Take(rest_bytes), rest_bytes);
  if (end != byte_length || !CopyParts(parts, &rest, bytes, byte_length) ||
      (rest.position() + 31) / 32 * 4 > rest_bytes)
    return false;
  texts->bytes = bytes;
  texts->byte_length = byte_length;
  texts->ends = ends;
  texts->count = node.count;
  return true;
}

}  // namespace colkit
