// See block_layouts.h.
#include "encode/numbers/block_layouts.h"

#include <algorithm>
#include <vector>

#include "encode/bit_pack_writer.h"
#include "encode/number_sources.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr size_t kDigitsOfByte = 5;
constexpr size_t kDigitsOfGroup = 3;
constexpr unsigned kGroupBits = 7;
constexpr unsigned kMostBits = 32;

unsigned BitsOf(uint32_t largest) { return largest == 0 ? 0 : 64 - CountLeadingZeros(largest); }
uint64_t StreamWords(uint64_t count, uint64_t width) { return (count * width + 31) / 32; }
uint64_t ThreesWords(uint64_t count) { return ((count + kDigitsOfByte - 1) / kDigitsOfByte + 3) / 4; }
uint64_t FivesWords(uint64_t count) {
  return StreamWords((count + kDigitsOfGroup - 1) / kDigitsOfGroup, kGroupBits);
}

uint64_t PlanWords(const BlockPlan& plan, uint64_t count) {
  return StreamWords(count, plan.low_bits) + plan.threes * ThreesWords(count) + plan.fives * FivesWords(count);
}

class Sizes {
 public:
  explicit Sizes(const LayoutSearch& search) : search_(search) {
    size_t index = 0;
    for (unsigned bits = 0; bits <= kMostBits; ++bits) {
      // More than numbers of so many bits less one.
      const double above = bits == 0 ? 0 : static_cast<double>(uint64_t{1} << (bits - 1));
      while (index + 1 < search.plan_count && !(search.plans[index].capacity > above)) ++index;
      first_[bits] = index;
    }
  }

  // The narrowest plan of numbers up to `largest`.
  size_t PlanOf(uint32_t largest) const {
    size_t index = first_[BitsOf(largest)];
    const double below = static_cast<double>(largest) + 1;
    while (index + 1 < search_.plan_count && search_.plans[index].capacity < below) ++index;
    return index;
  }

  uint64_t Words(uint32_t largest, uint64_t count, bool has_digits) const {
    const uint64_t whole = StreamWords(count, BitsOf(largest));
    return has_digits ? std::min(whole, PlanWords(search_.plans[PlanOf(largest)], count)) : whole;
  }

  // Whole bits, then digits too: of `blocks` blocks.
  void Look(const uint32_t* least, const uint32_t* most, size_t blocks, unsigned log2, BlockLayout* best) {
    const uint64_t length = uint64_t{1} << log2;
    const uint64_t last = search_.count - (blocks - 1) * length;
    by_plan_.resize(search_.plan_count);
    if (blocks > 1)
      for (size_t plan = 0; plan < search_.plan_count; ++plan)
        by_plan_[plan] = PlanWords(search_.plans[plan], length);
    uint32_t reference = 0;
    uint32_t widest = 0;
    uint64_t words[2] = {0, 0};
    for (size_t block = 0; block < blocks; ++block) {
      reference = std::max(reference, least[block]);
      const uint32_t largest = most[block] - least[block];
      widest = std::max(widest, largest);
      if (block == blocks - 1) {
        words[0] += Words(largest, last, false);
        words[1] += Words(largest, last, true);
        continue;
      }
      const uint64_t whole = StreamWords(length, BitsOf(largest));
      words[0] += whole;
      words[1] += std::min(whole, by_plan_[PlanOf(largest)]);
    }
    const uint64_t fixed = search_.header + 4 * StreamWords(blocks, BitsOf(reference));
    for (int has_digits = 0; has_digits < 2; ++has_digits) {
      const uint64_t one = fixed + 4 + 4 * OnePlanWords(widest, blocks, length, last, has_digits == 1);
      const uint64_t each = fixed + 4 * ((blocks + 1) / 2) + 4 * words[has_digits];
      if (one < best[has_digits].byte_length) best[has_digits] = {one, log2, true};
      if (each < best[has_digits].byte_length) best[has_digits] = {each, log2, false};
    }
  }

 private:
  // The plan is the one for a whole block, or for all where they are fewer.
  uint64_t OnePlanWords(uint32_t widest, size_t blocks, uint64_t length, uint64_t last, bool has_digits) const {
    const uint64_t count = std::min<uint64_t>(length, search_.count);
    const BlockPlan whole = {0, BitsOf(widest), 0, 0};
    const BlockPlan& narrow = search_.plans[PlanOf(widest)];
    const BlockPlan& plan = has_digits && PlanWords(narrow, count) < PlanWords(whole, count) ? narrow : whole;
    return (blocks - 1) * PlanWords(plan, length) + PlanWords(plan, last);
  }

  const LayoutSearch& search_;
  size_t first_[kMostBits + 1];
  std::vector<uint64_t> by_plan_;
};

}  // namespace

void BestLayouts(const LayoutSearch& search, uint32_t* least, uint32_t* most, BlockLayout* whole,
                 BlockLayout* fractional) {
  BlockRanges(search.values, search.count, search.log2, least, most);
  size_t blocks = ((search.count - 1) >> search.log2) + 1;
  Sizes sizes(search);
  BlockLayout best[2] = {{UINT64_MAX, 0, false}, {UINT64_MAX, 0, false}};
  sizes.Look(least, most, blocks, search.log2, best);
  std::vector<uint32_t> lows(least, least + blocks);
  std::vector<uint32_t> highs(most, most + blocks);
  for (unsigned log2 = search.log2; blocks > 1 && log2 < search.most_log2;) {
    // Four neighbouring blocks as one.
    const size_t before = blocks;
    blocks = (blocks + 3) / 4;
    for (size_t block = 0; block < blocks; ++block) {
      const size_t end = std::min(before, 4 * block + 4);
      lows[block] = *std::min_element(lows.begin() + 4 * block, lows.begin() + end);
      highs[block] = *std::max_element(highs.begin() + 4 * block, highs.begin() + end);
    }
    log2 += 2;
    sizes.Look(lows.data(), highs.data(), blocks, log2, best);
  }
  *whole = best[0];
  *fractional = best[1];
}

namespace {

// Digit k of a number is floor(number / scale) mod the base, for k = 0, 1, ...: five of base 3 in a byte.
void PackThrees(const uint32_t* numbers, size_t count, uint32_t scale, uint32_t* words) {
  for (size_t i = 0, byte = 0; i < count; i += kDigitsOfByte, ++byte) {
    uint32_t group = 0;
    for (size_t digit = std::min(count, i + kDigitsOfByte); digit-- > i;)
      group = group * 3 + numbers[digit] / scale % 3;
    words[byte / 4] |= group << (8 * (byte % 4));
  }
}

// Three of base 5 in seven bits.
void PackFives(const uint32_t* numbers, size_t count, uint32_t scale, std::vector<uint32_t>* groups, uint32_t* words) {
  groups->clear();
  for (size_t i = 0; i < count; i += kDigitsOfGroup) {
    uint32_t group = 0;
    for (size_t digit = std::min(count, i + kDigitsOfGroup); digit-- > i;)
      group = group * 5 + numbers[digit] / scale % 5;
    groups->push_back(group);
  }
  PackBits(groups->data(), groups->size(), kGroupBits, 0, words);
}

}  // namespace

size_t PackBlocks(const uint32_t* values, size_t count, unsigned log2, const uint32_t* references,
                  const uint32_t* plans, uint32_t* words, size_t room) {
  const size_t length = size_t{1} << log2;
  std::vector<uint32_t> numbers;
  std::vector<uint32_t> groups;
  size_t at = 0;
  for (size_t start = 0, block = 0; start < count; start += length, ++block) {
    const size_t in_block = std::min(length, count - start);
    const uint32_t code = plans[block];
    const BlockPlan plan = {0, code & 255, code >> 8 & 15, code >> 12 & 15};
    if (plan.low_bits > kMostBits || PlanWords(plan, in_block) > room - at) return room + 1;
    const uint32_t reference = references[block];
    if (plan.low_bits > 0) PackBits(values + start, in_block, plan.low_bits, reference, words + at);
    at += StreamWords(in_block, plan.low_bits);
    if (plan.threes + plan.fives == 0) continue;
    numbers.resize(in_block);
    for (size_t i = 0; i < in_block; ++i)
      numbers[i] = plan.low_bits > 31 ? 0 : (values[start + i] - reference) >> plan.low_bits;
    uint32_t scale = 1;
    for (uint32_t plane = 0; plane < plan.threes; ++plane, scale *= 3, at += ThreesWords(in_block))
      PackThrees(numbers.data(), in_block, scale, words + at);
    for (uint32_t plane = 0; plane < plan.fives; ++plane, scale *= 5, at += FivesWords(in_block))
      PackFives(numbers.data(), in_block, scale, &groups, words + at);
  }
  return at;
}

}  // namespace colkit
