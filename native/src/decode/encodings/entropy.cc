// ENTROPY: which bin comes next by a range asymmetric numeral system of four interleaved states, where in the bin by
// plain bits. docs/formats/columna.md, section 4.2.
#include <cstring>

#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr uint32_t kOne = 4096;
constexpr unsigned kOneLog2 = 12;
constexpr uint32_t kLowestState = 1u << 16;
constexpr unsigned kLanes = 4;
constexpr uint32_t kMostBins = 4096;

// One of 4096 slots: its bin, the bin's frequency, and the slot's index among the bin's.
struct Slot {
  uint16_t bin;
  uint16_t frequency;  // 4096 fits
  uint32_t index;
};

struct Bins {
  uint32_t count;
  const uint32_t* frequencies;
  const uint32_t* lows;
  const uint32_t* widths;
};

bool FillSlots(const Bins& bins, Slot* slots) {
  uint32_t slot = 0;
  for (uint32_t bin = 0; bin < bins.count; ++bin) {
    const uint32_t frequency = bins.frequencies[bin];
    if (frequency == 0 || frequency > kOne - slot) return false;
    for (uint32_t index = 0; index < frequency; ++index)
      slots[slot++] = {static_cast<uint16_t>(bin), static_cast<uint16_t>(frequency), index};
  }
  return slot == kOne;
}

COLKIT_INLINE uint32_t Advance(uint32_t state, const Slot& slot) {
  return slot.frequency * (state >> kOneLog2) + slot.index;
}

COLKIT_INLINE uint32_t StreamWord(const uint8_t* stream, uint32_t at) {
  uint16_t word;
  std::memcpy(&word, stream + 2 * size_t{at}, sizeof word);
  return word;
}

// Takes a word where the state has become small. That is close to a coin toss, so it is arithmetic and not a branch.
COLKIT_INLINE uint32_t Refill(uint32_t state, const uint8_t* stream, uint32_t* next) {
  const uint32_t takes = state < kLowestState ? 1 : 0;
  const uint32_t word = StreamWord(stream, *next) & (0u - takes);
  *next += takes;
  return state << (16 * takes) | word;
}

// Bins of `count` values; false where the stream does not end as it must.
bool DecodeBins(const Slot* slots, uint32_t* states, const uint8_t* stream, uint32_t stream_words, uint32_t count,
                uint32_t* out) {
  uint32_t a = states[0], b = states[1], c = states[2], d = states[3];
  uint32_t next = 0;
  uint32_t i = 0;
  for (; i + kLanes <= count && next + kLanes <= stream_words; i += kLanes) {
    const Slot slot_a = slots[a % kOne];
    const Slot slot_b = slots[b % kOne];
    const Slot slot_c = slots[c % kOne];
    const Slot slot_d = slots[d % kOne];
    out[i] = slot_a.bin;
    out[i + 1] = slot_b.bin;
    out[i + 2] = slot_c.bin;
    out[i + 3] = slot_d.bin;
    a = Refill(Advance(a, slot_a), stream, &next);
    b = Refill(Advance(b, slot_b), stream, &next);
    c = Refill(Advance(c, slot_c), stream, &next);
    d = Refill(Advance(d, slot_d), stream, &next);
  }
  uint32_t last[kLanes] = {a, b, c, d};
  for (; i < count; ++i) {
    uint32_t& state = last[i % kLanes];
    const Slot slot = slots[state % kOne];
    out[i] = slot.bin;
    state = Advance(state, slot);
    if (state >= kLowestState) continue;
    if (next == stream_words) return false;
    state = state << 16 | StreamWord(stream, next++);
  }
  return next == stream_words && last[0] == kLowestState && last[1] == kLowestState && last[2] == kLowestState &&
         last[3] == kLowestState;
}

// Bins -> low plus the next bits of the offsets, which have been checked to be there.
void AddOffsets(const Bins& bins, const uint8_t* offsets, uint32_t count, uint32_t* values) {
  uint64_t bit = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bin = values[i];
    uint64_t word;
    std::memcpy(&word, offsets + bit / 8, sizeof word);
    const uint32_t width = bins.widths[bin];
    values[i] = bins.lows[bin] + static_cast<uint32_t>(word >> (bit % 8) & ((uint64_t{1} << width) - 1));
    bit += width;
  }
}

}  // namespace

bool DecodeEntropy(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  Bins bins;
  bins.count = reader.Number<uint16_t>();
  reader.Take(2);
  const uint32_t stream_words = reader.Number<uint32_t>();
  values->base = reader.Number<uint64_t>();
  values->step = reader.Number<uint64_t>();
  uint32_t states[kLanes];
  for (uint32_t& state : states) {
    state = reader.Number<uint32_t>();
    if (state < kLowestState) return false;
  }
  if (!reader.ok() || bins.count < 1 || bins.count > kMostBins) return false;
  const Node frequencies_node = reader.Child(bins.count);
  const Node lows_node = reader.Child(bins.count);
  const Node widths_node = reader.Child(bins.count);
  const uint8_t* stream = reader.Take(uint64_t{2} * stream_words);
  reader.Pad(4);
  if (!reader.ok()) return false;
  bins.frequencies = DecodeNumbers(body, frequencies_node, kOne + 1);
  bins.lows = bins.frequencies == nullptr ? nullptr : DecodeNumbers(body, lows_node, uint64_t{1} << 32);
  bins.widths = bins.lows == nullptr ? nullptr : DecodeNumbers(body, widths_node, 33);
  Slot* slots = body.arena->Take<Slot>(kOne);
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (bins.widths == nullptr || slots == nullptr || numbers == nullptr || !FillSlots(bins, slots)) return false;
  if (!DecodeBins(slots, states, stream, stream_words, node.count, numbers)) return false;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < node.count; ++i) bits += bins.widths[numbers[i]];
  const uint8_t* offsets = reader.Take((bits + 31) / 32 * 4);
  if (!reader.AtEnd()) return false;
  AddOffsets(bins, offsets, node.count, numbers);
  uint64_t below = 1;
  for (uint32_t bin = 0; bin < bins.count; ++bin) {
    const uint64_t end = bins.lows[bin] + (uint64_t{1} << bins.widths[bin]);
    if (end > below) below = end;
  }
  values->kind = NodeValues::Kind::kNarrow;
  values->below = below < uint64_t{1} << 32 ? below : uint64_t{1} << 32;
  values->numbers = numbers;
  return true;
}

}  // namespace colkit
