// See text_fronts.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_fronts.h"

#include <algorithm>
#include <cstring>

#include "decode/node_reader.h"
#include "decode/texts/shared_words.h"

namespace colkit {
namespace {

// What is copied at once: a few bytes more than are meant may be written, and are written over, or put back.
constexpr uint32_t kCopied = 16;
static_assert(kCopied <= kWordsBytes && kWordsBytes <= Arena::kSlack / 2,
              "what is written beyond a string's end has room");

// `from` may be anywhere before `out`, as long as it has the bytes that count.
inline void CopyAhead(const uint8_t* from, uint32_t bytes, uint8_t* out) {
  for (uint32_t at = 0; at < bytes; at += kCopied) {
    uint64_t words[kCopied / sizeof(uint64_t)];
    std::memcpy(words, from + at, sizeof words);
    std::memcpy(out + at, words, sizeof words);
  }
}

}  // namespace

bool TextFronts::Read(const PageBody& body, const Node& node, const uint32_t** ends) {
  NodeReader reader(body, node);
  byte_length_ = reader.Number<uint32_t>();
  reader.Take(4);
  const Node shared_node = reader.Child(node.count);
  const Node own_node = reader.Child(node.count, node.domain);
  interval_log2_ = node.parameter;
  count_ = node.count;
  arena_ = body.arena;
  if (!reader.ok() || interval_log2_ > kLargestBlockLog2 || byte_length_ > kMostTextBytes ||
      byte_length_ > kMostInflation * (node.end - node.start))
    return false;
  shared_ = DecodeNumbers(body, shared_node, uint64_t{byte_length_} + 1);
  if (shared_ == nullptr || !DecodeTexts(body, own_node, &own_) || own_.codes != nullptr) return false;
  const uint32_t intervals = ((count_ - 1) >> interval_log2_) + 1;
  ends_ = arena_->Take<uint32_t>(count_);
  loaded_ = arena_->Take<uint8_t>(intervals);
  buffer_ = arena_->Take<uint8_t>(byte_length_);
  if (ends_ == nullptr || loaded_ == nullptr || buffer_ == nullptr) return false;
  if (own_.lazy == nullptr) {
    // In the arena a few bytes behind them may be read.
    auto* bytes = arena_->Take<uint8_t>(own_.byte_length);
    if (bytes == nullptr) return false;
    std::memcpy(bytes, own_.bytes, own_.byte_length);
    own_.bytes = bytes;
  }
  std::memset(loaded_, 0, intervals);
  const uint32_t* const shared = shared_;
  const uint32_t mask = (uint32_t{1} << interval_log2_) - 1;
  uint64_t end = 0;
  uint64_t before = 0;
  bool is_impossible = false;
  for (uint32_t i = 0; i < count_; ++i) {
    is_impossible |= shared[i] > ((i & mask) == 0 ? 0 : before);
    before = uint64_t{shared[i]} + own_.ends[i] - own_.Start(i);
    ends_[i] = static_cast<uint32_t>(end += before);
  }
  *ends = ends_;
  return !is_impossible && end == byte_length_;
}

uint32_t TextFronts::LastOf(uint32_t interval) const { return std::min(FirstOf(interval + 1), count_) - 1; }

bool TextFronts::Load(uint32_t start, uint32_t end) {
  if (start >= end) return true;
  const auto first = static_cast<uint32_t>(std::upper_bound(ends_, ends_ + count_, start) - ends_);
  const auto last = static_cast<uint32_t>(std::lower_bound(ends_ + first, ends_ + count_, end) - ends_);
  return LoadIntervals(first >> interval_log2_, last >> interval_log2_);
}

bool TextFronts::LoadString(uint32_t index, uint32_t start, uint32_t end) {
  return start >= end || LoadIntervals(index >> interval_log2_, index >> interval_log2_);
}

bool TextFronts::LoadIntervals(uint32_t first, uint32_t last) {
  for (uint32_t next = first; next <= last; ++next) {
    if (loaded_[next] != 0) continue;
    const uint32_t from = next;
    while (next <= last && loaded_[next] == 0) loaded_[next++] = 1;
    const uint32_t string = FirstOf(from);
    const uint32_t behind = LastOf(next - 1);
    if (own_.lazy != nullptr && !own_.lazy->Load(own_.Start(string), own_.ends[behind])) return false;
    Join(string, behind);
  }
  return true;
}

// What the intervals of all of them have of their own is loaded in one go.
bool TextFronts::LoadListed(const uint32_t* indexes, uint32_t count, const uint32_t*) {
  auto* wanted = arena_->Take<uint32_t>(count);
  if (wanted == nullptr) return false;
  uint32_t intervals = 0;
  uint64_t strings = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t interval = indexes[i] >> interval_log2_;
    if (loaded_[interval] != 0) continue;
    loaded_[interval] = 1;
    wanted[intervals++] = interval;
    strings += LastOf(interval) - FirstOf(interval) + 1;
  }
  if (own_.lazy != nullptr && strings > 0) {
    auto* own = arena_->Take<uint32_t>(strings);
    if (own == nullptr) return false;
    uint32_t* next = own;
    for (uint32_t i = 0; i < intervals; ++i) {
      for (uint32_t string = FirstOf(wanted[i]); string <= LastOf(wanted[i]); ++string) *next++ = string;
    }
    if (!own_.lazy->LoadListed(own, static_cast<uint32_t>(strings), own_.ends)) return false;
  }
  for (uint32_t i = 0; i < intervals; ++i) Join(FirstOf(wanted[i]), LastOf(wanted[i]));
  return true;
}

const TextOrder* TextFronts::OrdersTo(const uint8_t* text, uint32_t length) {
  auto* orders = arena_->Take<TextOrder>(count_);
  const uint32_t intervals = ((count_ - 1) >> interval_log2_) + 1;
  auto* firsts = arena_->Take<uint32_t>(intervals);
  if (orders == nullptr || firsts == nullptr) return nullptr;
  for (uint32_t i = 0; i < intervals; ++i) firsts[i] = FirstOf(i);
  if (own_.lazy != nullptr && !own_.lazy->LoadListed(firsts, intervals, own_.ends)) return nullptr;
  const uint32_t mask = (uint32_t{1} << interval_log2_) - 1;
  TextOrder order = TextOrder::kBelow;
  uint32_t same = 0;    // bytes that the text and the last string begin with
  uint32_t single = 0;  // strings that were made to be there by themselves
  for (uint32_t i = 0; i < count_; ++i) {
    if (shared_[i] <= same) {
      const uint32_t start = own_.Start(i);
      const uint32_t end = own_.ends[i];
      if (own_.lazy != nullptr && (i & mask) != 0) {
        // Many are sooner there all at once.
        if (single < intervals ? !own_.lazy->LoadString(i, start, end) : single == intervals && !LoadTexts(own_))
          return nullptr;
        ++single;
      }
      const uint8_t* const bytes = (own_.lazy != nullptr ? own_.lazy->bytes() : own_.bytes) + start;
      const uint32_t own = end - start;
      const uint32_t left = length - shared_[i];
      const uint32_t both = std::min(own, left);
      uint32_t at = 0;
      while (at < both && bytes[at] == text[shared_[i] + at]) ++at;
      order = at < both     ? (bytes[at] < text[shared_[i] + at] ? TextOrder::kBelow : TextOrder::kAbove)
              : own < left  ? TextOrder::kBelow
              : own == left ? TextOrder::kEqual
                            : TextOrder::kBegins;
      same = shared_[i] + at;
    }
    orders[i] = order;
  }
  return orders;
}

// Strings [first, last], the first of which shares nothing.
void TextFronts::Join(uint32_t first, uint32_t last) {
  is_fresh_ = false;
  const uint8_t* own = (own_.lazy != nullptr ? own_.lazy->bytes() : own_.bytes) + own_.Start(first);
  uint8_t* out = buffer_ + (first == 0 ? 0 : ends_[first - 1]);
  // What is written behind the last one may be another's that was put together before.
  uint8_t* const behind = buffer_ + ends_[last];
  const Words kept = LoadWords(behind);
  const uint8_t* before = out;
  Words words = {};  // what the one before begins with
  for (uint32_t string = first; string <= last; ++string) {
    const uint32_t shared = shared_[string];
    uint8_t* const end = buffer_ + ends_[string];
    const auto own_length = static_cast<uint32_t>(end - out) - shared;
    const bool is_beyond = shared > kWordsBytes;
    // An interval has no string longer than what they have of their own up to there: as many bytes are before these.
    if (!is_beyond) words = NextWords(words, shared, own);
    StoreWords(words, out);
    if (is_beyond) CopyAhead(before + kWordsBytes, shared - kWordsBytes, out + kWordsBytes);
    if (end - out > kWordsBytes) {
      const uint32_t there = is_beyond ? 0 : kWordsBytes - shared;
      CopyAhead(own + there, own_length - there, out + shared + there);
    }
    own += own_length;
    before = out;
    out = end;
  }
  StoreWords(kept, behind);
}

}  // namespace colkit
