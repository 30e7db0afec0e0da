// See text_symbols.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_symbols.h"

#include <algorithm>
#include <cstring>

#include "decode/node_reader.h"

namespace colkit {
namespace {

constexpr uint32_t kMostSymbolBytes = 8;
constexpr uint8_t kEscape = 255;
constexpr uint32_t kCodeCount = 256;
// Codes that are spelled out between two looks at where that has come to.
constexpr uint32_t kCodesAtOnce = 4;
static_assert(kCodesAtOnce * kMostSymbolBytes <= Arena::kSlack / 2, "what is written beyond a string's end has room");
// Bytes of strings that are decoded here.
constexpr uint64_t kMostTextBytes = uint64_t{1} << 23;

struct Symbols {
  const uint64_t* bytes;
  const uint8_t* lengths;

  // Writes eight bytes and gives how many of them count.
  uint32_t Spell(uint8_t code, uint8_t* out) const {
    std::memcpy(out, bytes + code, sizeof bytes[0]);
    return lengths[code];
  }
};

// Whether one of four codes is an escape.
bool HasEscape(uint32_t codes) { return ((~codes - 0x01010101u) & codes & 0x80808080u) != 0; }

// One string; up to kCodesAtOnce symbols may be written behind its end. False where its codes do not spell as many
// bytes.
bool Spell(const Symbols& symbols, const uint8_t* in, const uint8_t* in_end, uint8_t* out, const uint8_t* out_end) {
  uint32_t missing = 0;  // the highest bit is set once a code had no symbol
  while (in_end - in >= static_cast<ptrdiff_t>(kCodesAtOnce)) {
    uint32_t four;
    std::memcpy(&four, in, sizeof four);
    if (HasEscape(four)) {
      if (*in == kEscape) {
        *out++ = in[1];
        in += 2;
      } else {
        const uint32_t length = symbols.Spell(*in++, out);
        missing |= length - 1;
        out += length;
      }
    } else {
      const uint32_t a = symbols.Spell(in[0], out);
      const uint32_t b = symbols.Spell(in[1], out + a);
      const uint32_t c = symbols.Spell(in[2], out + a + b);
      const uint32_t d = symbols.Spell(in[3], out + a + b + c);
      missing |= (a - 1) | (b - 1) | (c - 1) | (d - 1);
      out += a + b + c + d;
      in += kCodesAtOnce;
    }
    if (out > out_end) return false;
  }
  while (in < in_end) {
    if (*in == kEscape) {
      if (++in == in_end) return false;
      *out++ = *in++;
    } else {
      const uint32_t length = symbols.Spell(*in++, out);
      missing |= length - 1;
      out += length;
    }
  }
  return out == out_end && missing >> 31 == 0;
}

}  // namespace

bool TextSymbols::Read(const PageBody& body, const Node& node, const uint32_t** ends) {
  NodeReader reader(body, node);
  byte_length_ = reader.Number<uint32_t>();
  const uint32_t code_bytes = reader.Number<uint32_t>();
  const uint32_t symbol_count = reader.Number<uint8_t>();
  reader.Take(7);
  if (!reader.ok() || node.parameter != 0 || byte_length_ > kMostTextBytes ||
      byte_length_ > uint64_t{kMostSymbolBytes} * code_bytes)
    return false;
  const Node lengths_node = reader.Child(node.count);
  const Node counts_node = reader.Child(node.count);
  const uint8_t* lengths_of_symbols = reader.Take(symbol_count);
  if (!reader.ok()) return false;
  uint32_t symbol_bytes = 0;
  for (uint32_t i = 0; i < symbol_count; ++i) {
    if (lengths_of_symbols[i] < 1 || lengths_of_symbols[i] > kMostSymbolBytes) return false;
    symbol_bytes += lengths_of_symbols[i];
  }
  const uint8_t* symbols = reader.Take(symbol_bytes);
  codes_ = reader.Take(code_bytes);
  if (!reader.AtEnd()) return false;

  Arena* arena = body.arena;
  const uint32_t* lengths = DecodeNumbers(body, lengths_node, uint64_t{byte_length_} + 1);
  const uint32_t* counts = lengths == nullptr ? nullptr : DecodeNumbers(body, counts_node, uint64_t{code_bytes} + 1);
  count_ = node.count;
  ends_ = arena->Take<uint32_t>(count_);
  code_ends_ = arena->Take<uint32_t>(count_);
  buffer_ = arena->Take<uint8_t>(byte_length_);
  if (counts == nullptr || ends_ == nullptr || code_ends_ == nullptr || buffer_ == nullptr) return false;
  *ends = ends_;
  return ReadSymbols(lengths_of_symbols, symbols, symbol_count, arena) && ReadEnds(lengths, counts, code_bytes);
}

bool TextSymbols::ReadSymbols(const uint8_t* lengths, const uint8_t* symbols, uint32_t count, Arena* arena) {
  symbols_ = arena->Take<uint64_t>(kCodeCount);
  symbol_lengths_ = arena->Take<uint8_t>(kCodeCount);
  if (symbols_ == nullptr || symbol_lengths_ == nullptr) return false;
  std::memset(symbols_, 0, kCodeCount * sizeof symbols_[0]);
  std::memset(symbol_lengths_, 0, kCodeCount);
  for (uint32_t code = 0; code < count; ++code) {
    std::memcpy(symbols_ + code, symbols, lengths[code]);
    symbol_lengths_[code] = lengths[code];
    symbols += lengths[code];
  }
  return true;
}

bool TextSymbols::ReadEnds(const uint32_t* lengths, const uint32_t* code_counts, uint32_t code_bytes) {
  uint64_t end = 0;
  uint64_t code_end = 0;
  bool is_impossible = false;
  for (uint32_t i = 0; i < count_; ++i) {
    const uint64_t length = lengths[i];
    const uint64_t codes = code_counts[i];
    is_impossible |= (length > kMostSymbolBytes * codes) | (codes > 2 * length);
    ends_[i] = static_cast<uint32_t>(end += length);
    code_ends_[i] = static_cast<uint32_t>(code_end += codes);
  }
  return !is_impossible && end == byte_length_ && code_end == code_bytes;
}

bool TextSymbols::Load(uint32_t start, uint32_t end) {
  if (start >= end || is_whole_) return true;
  return LoadFrom(static_cast<uint32_t>(std::upper_bound(ends_, ends_ + count_, start) - ends_), start, end);
}

bool TextSymbols::LoadString(uint32_t index, uint32_t start, uint32_t end) {
  return start >= end || is_whole_ || LoadFrom(index, start, end);
}

// From the string on that byte `start` is in, or begins with it.
bool TextSymbols::LoadFrom(uint32_t string, uint32_t start, uint32_t end) {
  is_fresh_ = false;
  const Symbols symbols = {symbols_, symbol_lengths_};
  uint32_t from = string == 0 ? 0 : code_ends_[string - 1];
  uint32_t at = string == 0 ? 0 : ends_[string - 1];
  const bool is_whole = at == 0 && end == byte_length_;
  while (at < end) {
    // What is written behind the last one may be another's that was spelled out before.
    const bool is_last = ends_[string] >= end && ends_[string] < byte_length_;
    uint8_t* const behind = buffer_ + ends_[string];
    uint64_t kept = 0;
    if (is_last) std::memcpy(&kept, behind, sizeof kept);
    if (!Spell(symbols, codes_ + from, codes_ + code_ends_[string], buffer_ + at, behind)) return false;
    if (is_last) std::memcpy(behind, &kept, sizeof kept);
    from = code_ends_[string];
    at = ends_[string++];
  }
  is_whole_ = is_whole;
  return true;
}

}  // namespace colkit
