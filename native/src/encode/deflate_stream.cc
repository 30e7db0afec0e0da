// See deflate_stream.h.
#include "encode/deflate_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "encode/huffman_lengths.h"

namespace colkit {
namespace {

constexpr uint32_t kEndOfBlock = 256;
constexpr uint32_t kFirstLength = 257;
constexpr unsigned kLongestCode = 15;
constexpr unsigned kLongestLengthCode = 7;
constexpr uint8_t kRepeat = 16;
constexpr uint8_t kZeros = 17;
constexpr uint8_t kManyZeros = 18;
// In which order the lengths of codes of lengths are written.
constexpr uint8_t kLengthOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

constexpr std::array<uint8_t, 256> kLog2 = [] {
  std::array<uint8_t, 256> logs{};
  for (unsigned i = 2; i < 256; ++i) logs[i] = static_cast<uint8_t>(logs[i / 2] + 1);
  return logs;
}();

// A number as a symbol and what follows it.
struct Split {
  uint32_t symbol;
  unsigned bits;
  uint32_t extra;
};

Split SplitLength(uint32_t less_three) {
  if (less_three == 255) return {kFirstLength + 28, 0, 0};
  if (less_three < 8) return {kFirstLength + less_three, 0, 0};
  const unsigned bits = kLog2[less_three] - 2u;
  return {kFirstLength + 4 * (bits + 1) + ((less_three >> bits) & 3), bits, less_three & ((1u << bits) - 1)};
}

Split SplitDistance(uint32_t less_one) {
  if (less_one < 4) return {less_one, 0, 0};
  const unsigned bits = (less_one < 256 ? kLog2[less_one] : 8u + kLog2[less_one >> 8]) - 1u;
  return {2 * (bits + 1) + ((less_one >> bits) & 1), bits, less_one & ((1u << bits) - 1)};
}

void SetFixedLengths(uint8_t* literals, uint8_t* distances) {
  std::fill(literals, literals + 144, uint8_t{8});
  std::fill(literals + 144, literals + 256, uint8_t{9});
  std::fill(literals + 256, literals + 280, uint8_t{7});
  std::fill(literals + 280, literals + 288, uint8_t{8});
  std::fill(distances, distances + 32, uint8_t{5});
}

size_t UsedOf(const uint8_t* lengths, size_t count, size_t least) {
  while (count > least && lengths[count - 1] == 0) --count;
  return count;
}

// Bits behind each other, the first one the lowest.
class BitWriter {
 public:
  explicit BitWriter(uint8_t* out) : out_(out) {}

  void Put(uint32_t bits, unsigned count) {
    pending_ |= uint64_t{bits} << filled_;
    filled_ += count;
    if (filled_ < 32) return;
    const auto word = static_cast<uint32_t>(pending_);
    std::memcpy(out_, &word, sizeof word);
    out_ += sizeof word;
    pending_ >>= 32;
    filled_ -= 32;
  }

  void Finish() {
    for (unsigned done = 0; done < filled_; done += 8) *out_++ = static_cast<uint8_t>(pending_ >> done);
  }

 private:
  uint8_t* out_;
  uint64_t pending_ = 0;
  unsigned filled_ = 0;
};

}  // namespace

size_t DeflateStream::Plan() {
  uint32_t literals[kLiterals] = {};
  uint32_t distances[kDistances] = {};
  uint64_t extra_bits = 0;
  literals[kEndOfBlock] = 1;
  for (size_t i = 0; i < count_; ++i) {
    const uint32_t token = tokens_[i];
    const uint32_t distance = token >> 8;
    if (distance == 0) {
      ++literals[token];
      continue;
    }
    const Split length = SplitLength(token & 0xff);
    const Split far = SplitDistance(distance - 1);
    ++literals[length.symbol];
    ++distances[far.symbol];
    extra_bits += length.bits + far.bits;
  }
  uint32_t weights[kLiterals];
  std::copy(literals, literals + kLiterals, weights);
  HuffmanLengths(weights, kLiterals, kLongestCode, literal_lengths_);
  std::copy(distances, distances + kDistances, weights);
  HuffmanLengths(weights, kDistances, kLongestCode, distance_lengths_);
  PlanLengths();
  uint64_t own = 3 + 5 + 5 + 4 + 3 * codes_used_;
  for (size_t i = 0; i < listed_count_; ++i) {
    const uint8_t symbol = listed_[i];
    own += code_lengths_[symbol];
    own += symbol == kRepeat ? 2 : symbol == kZeros ? 3 : symbol == kManyZeros ? 7 : 0;
  }
  uint8_t fixed_literals[288];
  uint8_t fixed_distances[32];
  SetFixedLengths(fixed_literals, fixed_distances);
  uint64_t fixed = 3;
  for (size_t symbol = 0; symbol < kLiterals; ++symbol) {
    own += uint64_t{literals[symbol]} * literal_lengths_[symbol];
    fixed += uint64_t{literals[symbol]} * fixed_literals[symbol];
  }
  for (size_t symbol = 0; symbol < kDistances; ++symbol) {
    own += uint64_t{distances[symbol]} * distance_lengths_[symbol];
    fixed += uint64_t{distances[symbol]} * fixed_distances[symbol];
  }
  is_fixed_ = fixed <= own;
  if (is_fixed_) SetFixedLengths(literal_lengths_, distance_lengths_);
  return static_cast<size_t>((std::min(own, fixed) + extra_bits + 7) / 8);
}

// The lengths of both trees behind each other, with runs told as such.
void DeflateStream::PlanLengths() {
  literals_used_ = UsedOf(literal_lengths_, kLiterals, kFirstLength);
  distances_used_ = UsedOf(distance_lengths_, kDistances, 1);
  uint8_t lengths[kLiterals + kDistances];
  std::copy_n(literal_lengths_, literals_used_, lengths);
  std::copy_n(distance_lengths_, distances_used_, lengths + literals_used_);
  const size_t total = literals_used_ + distances_used_;
  uint32_t times[kLengthCodes] = {};
  listed_count_ = 0;
  const auto list = [&](uint8_t symbol, size_t extra) {
    ++times[symbol];
    listed_[listed_count_] = symbol;
    listed_extra_[listed_count_++] = static_cast<uint8_t>(extra);
  };
  for (size_t i = 0; i < total;) {
    const uint8_t length = lengths[i];
    size_t run = 1;
    while (i + run < total && lengths[i + run] == length) ++run;
    i += run;
    if (length == 0) {
      for (; run >= 11; run -= std::min<size_t>(run, 138)) list(kManyZeros, std::min<size_t>(run, 138) - 11);
      if (run >= 3) {
        list(kZeros, run - 3);
        run = 0;
      }
    } else {
      list(length, 0);
      --run;
      for (; run >= 3; run -= std::min<size_t>(run, 6)) list(kRepeat, std::min<size_t>(run, 6) - 3);
    }
    for (; run > 0; --run) list(length, 0);
  }
  HuffmanLengths(times, kLengthCodes, kLongestLengthCode, code_lengths_);
  codes_used_ = kLengthCodes;
  while (codes_used_ > 4 && code_lengths_[kLengthOrder[codes_used_ - 1]] == 0) --codes_used_;
}

void DeflateStream::Write(uint8_t* out) const {
  BitWriter bits(out);
  bits.Put(is_fixed_ ? 3 : 5, 3);
  uint16_t codes[288];
  uint16_t distance_codes[32];
  if (!is_fixed_) {
    bits.Put(static_cast<uint32_t>(literals_used_ - kFirstLength), 5);
    bits.Put(static_cast<uint32_t>(distances_used_ - 1), 5);
    bits.Put(static_cast<uint32_t>(codes_used_ - 4), 4);
    for (size_t i = 0; i < codes_used_; ++i) bits.Put(code_lengths_[kLengthOrder[i]], 3);
    HuffmanCodes(code_lengths_, kLengthCodes, codes);
    for (size_t i = 0; i < listed_count_; ++i) {
      const uint8_t symbol = listed_[i];
      bits.Put(codes[symbol], code_lengths_[symbol]);
      if (symbol >= kRepeat) bits.Put(listed_extra_[i], symbol == kRepeat ? 2 : symbol == kZeros ? 3 : 7);
    }
  }
  HuffmanCodes(literal_lengths_, is_fixed_ ? 288 : kLiterals, codes);
  HuffmanCodes(distance_lengths_, is_fixed_ ? 32 : kDistances, distance_codes);
  for (size_t i = 0; i < count_; ++i) {
    const uint32_t token = tokens_[i];
    const uint32_t distance = token >> 8;
    if (distance == 0) {
      bits.Put(codes[token], literal_lengths_[token]);
      continue;
    }
    const Split length = SplitLength(token & 0xff);
    bits.Put(codes[length.symbol], literal_lengths_[length.symbol]);
    bits.Put(length.extra, length.bits);
    const Split far = SplitDistance(distance - 1);
    bits.Put(distance_codes[far.symbol], distance_lengths_[far.symbol]);
    bits.Put(far.extra, far.bits);
  }
  bits.Put(codes[kEndOfBlock], literal_lengths_[kEndOfBlock]);
  bits.Finish();
}

}  // namespace colkit
