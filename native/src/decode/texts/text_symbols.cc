// See text_symbols.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_symbols.h"

#include <algorithm>
#include <cstring>

#include "decode/node_reader.h"
#include "decode/node_values.h"
#include "decode/texts/shared_words.h"

namespace colkit {
namespace {

// Most symbols are no longer than this: they lie closer where all of a page are.
constexpr uint32_t kShortSymbolBytes = 16;
static_assert(kMostSymbolBytes == kWordsBytes, "a symbol is made in registers");
// What is written between two looks at where that has come to: a symbol, or two short ones.
constexpr uint32_t kWrittenBehind = kMostSymbolBytes;
static_assert(kWrittenBehind <= Arena::kSlack / 2, "what is written beyond a string's end has room");
// Codes are picked as long as that takes at most half of the time of all of them. To begin takes as long as decoding so
// many codes, and each one as long as two.
constexpr uint64_t kPickBegins = 600;
constexpr uint64_t kPickedCode = 2;

// Symbols that have `kRoom` bytes each.
template <uint32_t kRoom>
struct Symbols {
  static constexpr uint32_t kAtOnce = kWrittenBehind / kRoom;

  const uint8_t* bytes;
  const uint8_t* lengths;

  // Writes `kRoom` bytes and gives where those end that count.
  uint8_t* Spell(uint32_t code, uint8_t* out) const {
    std::memcpy(out, bytes + size_t{code} * kRoom, kRoom);
    return out + lengths[code];
  }

  // Codes of strings one behind the other; up to kWrittenBehind bytes may be written behind `out_end`. `ends[i]` is
  // where what `i` codes spell ends in `buffer`. False where it does not end at `out_end`.
  bool SpellAll(const uint32_t* codes, uint32_t count, const uint8_t* buffer, uint8_t* out, const uint8_t* out_end,
                uint32_t* ends) const {
    *ends++ = static_cast<uint32_t>(out - buffer);
    const auto spell = [&](uint32_t i) {
      out = Spell(codes[i], out);
      ends[i] = static_cast<uint32_t>(out - buffer);
    };
    uint32_t i = 0;
    for (; count - i >= kAtOnce; i += kAtOnce) {
      if (out > out_end) return false;
      for (uint32_t j = 0; j < kAtOnce; ++j) spell(i + j);
    }
    if (out > out_end) return false;
    for (; i < count; ++i) spell(i);
    return out == out_end;
  }
};

}  // namespace

bool TextSymbols::Read(const PageBody& body, const Node& node, const uint32_t** ends) {
  NodeReader reader(body, node);
  byte_length_ = reader.Number<uint32_t>();
  code_count_ = reader.Number<uint32_t>();
  symbol_count_ = reader.Number<uint32_t>();
  reader.Take(4);
  if (!reader.ok() || node.parameter != 0 || byte_length_ > kMostTextBytes || symbol_count_ < 1 ||
      symbol_count_ > kMostSymbols || byte_length_ > uint64_t{kMostSymbolBytes} * code_count_ ||
      byte_length_ > kMostInflation * (node.end - node.start) || code_count_ > byte_length_)
    return false;
  const Node lengths_node = reader.Child(node.count);
  const Node counts_node = reader.Child(node.count);
  const Node shared_node = reader.Child(symbol_count_);
  const Node own_node = reader.Child(symbol_count_);
  codes_node_ = reader.Child(code_count_);
  if (!reader.ok()) return false;

  body_ = body;
  Arena* arena = body.arena;
  const uint32_t* shared = DecodeNumbers(body, shared_node, kMostSymbolBytes + 1);
  const uint32_t* own = DecodeNumbers(body, own_node, kMostSymbolBytes + 1);
  const uint64_t limit = uint64_t{byte_length_} + 1;
  NodeValues lengths;
  NodeValues counts;
  if (!DecodeNarrow(body, lengths_node, limit, &lengths) || !DecodeNarrow(body, counts_node, limit, &counts))
    return false;
  count_ = node.count;
  ends_ = arena->Take<uint32_t>(count_);
  code_ends_ = arena->Take<uint32_t>(count_);
  buffer_ = arena->Take<uint8_t>(byte_length_);
  symbols_ = arena->Take<uint8_t>(size_t{symbol_count_} * kMostSymbolBytes);
  symbol_lengths_ = arena->Take<uint8_t>(symbol_count_);
  spelled_ = arena->Take<uint32_t>(size_t{code_count_} + 1);
  if (shared == nullptr || own == nullptr || ends_ == nullptr || code_ends_ == nullptr || buffer_ == nullptr ||
      symbols_ == nullptr || symbol_lengths_ == nullptr || spelled_ == nullptr)
    return false;
  *ends = ends_;
  return ReadSymbols(shared, own, &reader) && ReadEnds(lengths, counts);
}

// What is behind the bytes of the symbols is ignored.
bool TextSymbols::ReadSymbols(const uint32_t* shared, const uint32_t* own, NodeReader* reader) {
  uint32_t bytes = 0;
  uint32_t before = 0;
  uint32_t longest = 0;
  for (uint32_t code = 0; code < symbol_count_; ++code) {
    const uint32_t length = shared[code] + own[code];
    if (shared[code] > before || length < 1 || length > kMostSymbolBytes) return false;
    symbol_lengths_[code] = static_cast<uint8_t>(length);
    bytes += own[code];
    longest = std::max(longest, length);
    before = length;
  }
  const Node bytes_node = reader->Child(bytes);
  const uint32_t* numbers = reader->ok() ? DecodeNumbers(body_, bytes_node, 256) : nullptr;
  auto* room = body_.arena->Take<uint8_t>(size_t{kMostSymbolBytes} + bytes);
  if (numbers == nullptr || room == nullptr) return false;
  uint8_t* own_bytes = room + kMostSymbolBytes;
  for (uint32_t i = 0; i < bytes; ++i) own_bytes[i] = static_cast<uint8_t>(numbers[i]);
  symbol_room_ = longest <= kShortSymbolBytes ? kShortSymbolBytes : kMostSymbolBytes;
  // A symbol stays in registers until the next one is made of it. Behind each there are any bytes.
  Words symbol = {};
  for (uint32_t code = 0; code < symbol_count_; ++code) {
    symbol = NextWords(symbol, shared[code], own_bytes);
    StoreWords(symbol, symbols_ + size_t{code} * symbol_room_);
    own_bytes += own[code];
  }
  return true;
}

// By value: what is written could otherwise be theirs.
bool TextSymbols::ReadEnds(NodeValues lengths, NodeValues code_counts) {
  uint32_t* const ends = ends_;
  uint32_t* const code_ends = code_ends_;
  const auto at = [](const NodeValues& narrow, uint32_t i) {
    return static_cast<uint32_t>(narrow.base) + static_cast<uint32_t>(narrow.step) * narrow.numbers[i];
  };
  uint64_t end = 0;
  uint64_t code_end = 0;
  bool is_impossible = false;
  for (uint32_t i = 0, count = count_; i < count; ++i) {
    const uint32_t length = at(lengths, i);
    const uint32_t codes = at(code_counts, i);
    // A code spells a byte at least; sums of 64 bits do not wrap.
    is_impossible |= (codes > length) | (length > kMostSymbolBytes * codes);
    ends[i] = static_cast<uint32_t>(end += length);
    code_ends[i] = static_cast<uint32_t>(code_end += codes);
  }
  return !is_impossible && end == byte_length_ && code_end == code_count_;
}

// False where a code has no symbol, or they are declined.
bool TextSymbols::DecodeCodes() {
  if (codes_ == nullptr) codes_ = DecodeNumbers(body_, codes_node_, symbol_count_);
  return codes_ != nullptr;
}

// Whether so many codes should be picked, in one go, in place of decoding all.
bool TextSymbols::MayPick(uint32_t count) {
  return codes_ == nullptr && (picking_ += kPickBegins + kPickedCode * count) <= code_count_ / 2;
}

const uint32_t* TextSymbols::Codes(uint32_t start, uint32_t end) {
  if (MayPick(end - start)) {
    auto* indexes = body_.arena->Take<uint32_t>(end - start);
    if (indexes == nullptr) return nullptr;
    for (uint32_t i = start; i < end; ++i) indexes[i - start] = i;
    return PickNumbers(body_, codes_node_, {indexes, end - start}, symbol_count_);
  }
  return DecodeCodes() ? codes_ + start : nullptr;
}

bool TextSymbols::MayBegin(uint32_t index, uint64_t eight) {
  const uint32_t code = FirstCode(index);
  if (code == code_ends_[index] || !DecodeCodes()) return true;
  uint64_t symbol;
  std::memcpy(&symbol, symbols_ + size_t{codes_[code]} * symbol_room_, sizeof symbol);
  const unsigned bits = 8 * std::min<unsigned>(symbol_lengths_[codes_[code]], sizeof symbol);
  return ((symbol ^ eight) & ~uint64_t{0} >> (64 - bits)) == 0;
}

bool TextSymbols::Load(uint32_t start, uint32_t end) {
  if (start >= end || is_whole_) return true;
  const auto first = static_cast<uint32_t>(std::upper_bound(ends_, ends_ + count_, start) - ends_);
  const auto last = static_cast<uint32_t>(std::lower_bound(ends_ + first, ends_ + count_, end) - ends_);
  if (!LoadStrings(first, last)) return false;
  is_whole_ = start == 0 && end == byte_length_;
  return true;
}

bool TextSymbols::LoadString(uint32_t index, uint32_t start, uint32_t end) {
  return start >= end || is_whole_ || LoadStrings(index, index);
}

// Codes of all of them are picked together: each search for a code's place costs more than the code.
bool TextSymbols::LoadListed(const uint32_t* indexes, uint32_t count, const uint32_t*) {
  if (is_whole_) return true;
  uint64_t code_count = 0;
  for (uint32_t i = 0; i < count; ++i) code_count += code_ends_[indexes[i]] - FirstCode(indexes[i]);
  if (code_count == 0) return true;
  uint32_t run = 1;
  while (run < count && indexes[run] == indexes[0] + run) ++run;
  if (run == count) return LoadStrings(indexes[0], indexes[count - 1]);
  if (code_count > code_count_ || !MayPick(static_cast<uint32_t>(code_count))) {
    if (!DecodeCodes()) return false;
    for (uint32_t i = 0; i < count; i += run) {
      for (run = 1; i + run < count && indexes[i + run] == indexes[i] + run;) ++run;
      if (!Spell(codes_ + FirstCode(indexes[i]), indexes[i], indexes[i] + run - 1)) return false;
    }
    return true;
  }
  auto* wanted = body_.arena->Take<uint32_t>(code_count);
  if (wanted == nullptr) return false;
  uint32_t* next = wanted;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t code = FirstCode(indexes[i]); code < code_ends_[indexes[i]]; ++code) *next++ = code;
  }
  const Picks picks = {wanted, static_cast<uint32_t>(code_count)};
  const uint32_t* codes = PickNumbers(body_, codes_node_, picks, symbol_count_);
  if (codes == nullptr) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!Spell(codes, indexes[i], indexes[i])) return false;
    codes += code_ends_[indexes[i]] - FirstCode(indexes[i]);
  }
  return true;
}

bool TextSymbols::LoadStrings(uint32_t first, uint32_t last) {
  const uint32_t* codes = Codes(FirstCode(first), code_ends_[last]);
  return codes != nullptr && Spell(codes, first, last);
}

bool TextSymbols::Spell(const uint32_t* codes, uint32_t first, uint32_t last) {
  return symbol_room_ == kMostSymbolBytes ? SpellStrings<kMostSymbolBytes>(codes, first, last)
                                          : SpellStrings<kShortSymbolBytes>(codes, first, last);
}

// `codes` are those of all of them.
template <uint32_t kRoom>
bool TextSymbols::SpellStrings(const uint32_t* codes, uint32_t first, uint32_t last) {
  is_fresh_ = false;
  const Symbols<kRoom> symbols = {symbols_, symbol_lengths_};
  uint8_t* out = buffer_ + (first == 0 ? 0 : ends_[first - 1]);
  // What is written behind the last one may be another's that was spelled out before.
  uint8_t* const behind = buffer_ + ends_[last];
  uint8_t kept[kWrittenBehind];
  std::memcpy(kept, behind, sizeof kept);
  const uint32_t code = FirstCode(first);
  if (!symbols.SpellAll(codes, code_ends_[last] - code, buffer_, out, behind, spelled_)) return false;
  // Where each string ends is looked at behind all: in how many codes cannot be predicted.
  uint32_t wrong = 0;
  for (uint32_t string = first; string <= last; ++string) wrong |= spelled_[code_ends_[string] - code] ^ ends_[string];
  std::memcpy(behind, kept, sizeof kept);
  return wrong == 0;
}

}  // namespace colkit
