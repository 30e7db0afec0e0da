// BITPACK: minus a minimum, divided by a step, in the fewest bits, in blocks with references and widths of their own.
// docs/formats/columna.md, section 4.2.
#include <algorithm>
#include <cstring>

#include "decode/bit_unpack.h"
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {
namespace {

struct Plan {
  unsigned low_bits;
  unsigned threes;
  unsigned fives;
  uint64_t capacity;  // of plans up to 32 bits
};

bool ParsePlan(unsigned code, Plan* plan) {
  *plan = {code & 255, code >> 8 & 15, code >> 12, 0};
  if (plan->low_bits > 64 || plan->threes > 3 || plan->fives > 2) return false;
  if (plan->low_bits > 32) return plan->threes + plan->fives == 0;
  plan->capacity = uint64_t{1} << plan->low_bits;
  for (unsigned i = 0; i < plan->threes; ++i) plan->capacity *= 3;
  for (unsigned i = 0; i < plan->fives; ++i) plan->capacity *= 5;
  return plan->threes + plan->fives == 0 || (plan->low_bits <= 31 && plan->capacity <= uint64_t{1} << 32);
}

size_t PlanBytes(const Plan& plan, size_t count) {
  const size_t low =
      plan.low_bits > 32 ? 4 * count + StreamBytes(count, plan.low_bits - 32) : StreamBytes(count, plan.low_bits);
  return low + plan.threes * ThreesBytes(count) + plan.fives * FivesBytes(count);
}

// Values at multiples of this begin a byte of every plane: 8 in a stream of bits, 5 in one of threes, 24 of fives.
constexpr uint32_t kAligned = 120;

// Some values of a block of `in_block`, from a multiple of kAligned on.
bool UnpackPart(const Plan& plan, const uint8_t* block, size_t in_block, size_t start, size_t count, uint32_t reference,
                uint32_t* out) {
  UnpackBits(block + start / 8 * plan.low_bits, plan.low_bits, count, reference, out);
  block += StreamBytes(in_block, plan.low_bits);
  uint32_t scale = plan.threes + plan.fives == 0 ? 0 : 1u << plan.low_bits;
  bool legal = true;
  for (unsigned plane = 0; plane < plan.threes; ++plane, scale *= 3, block += ThreesBytes(in_block))
    legal = AddThrees(block + start / 5, count, scale, out) && legal;
  for (unsigned plane = 0; plane < plan.fives; ++plane, scale *= 5, block += FivesBytes(in_block))
    legal = AddFives(block + start / 24 * 7, count, scale, out) && legal;
  return legal;
}

bool UnpackNarrowBlock(const Plan& plan, const uint8_t* block, size_t count, uint32_t reference, uint32_t* out) {
  return UnpackPart(plan, block, count, 0, count, reference, out);
}

// base + u of a block beside one of more than 32 bits. `room` holds two numbers for each of `count` values.
bool UnpackWideBlock(const Plan& plan, const uint8_t* block, size_t count, uint64_t base, uint32_t* room,
                     uint64_t* out) {
  if (plan.low_bits <= 32) {
    if (!UnpackNarrowBlock(plan, block, count, 0, room)) return false;
    for (size_t i = 0; i < count; ++i) out[i] = base + room[i];
    return true;
  }
  UnpackBits(block + 4 * count, plan.low_bits - 32, count, 0, room);
  for (size_t i = 0; i < count; ++i) {
    uint32_t low;
    std::memcpy(&low, block + 4 * i, sizeof low);
    out[i] = base + (static_cast<uint64_t>(room[i]) << 32 | low);
  }
  return true;
}

// Picks in a row from so many on are unpacked together with those before them in their bytes.
constexpr uint32_t kLeastRun = 16;

// All but the planes, which the reader of the node is left at.
struct Packed {
  uint64_t base;
  uint64_t step;
  unsigned block_log2;
  uint32_t blocks;
  uint32_t plan_count;  // 1, or one a block
  const Plan* plans;
  const uint32_t* references;
  bool wide;

  const Plan& PlanOf(uint32_t block) const { return plans[plan_count == 1 ? 0 : block]; }
};

bool ReadPacked(const PageBody& body, const Node& node, NodeReader* reader, Packed* packed) {
  if (node.parameter > 1) return false;
  packed->base = reader->Number<uint64_t>();
  packed->step = reader->Number<uint64_t>();
  packed->block_log2 = reader->Number<uint8_t>();
  const unsigned reference_width = reader->Number<uint8_t>();
  reader->Take(6);
  if (!reader->ok() || packed->block_log2 < kSmallestBlockLog2 || packed->block_log2 > kLargestBlockLog2 ||
      reference_width > 32)
    return false;
  packed->blocks = ((node.count - 1) >> packed->block_log2) + 1;
  packed->plan_count = node.parameter == 1 ? 1 : packed->blocks;
  const uint8_t* codes = reader->Take(uint64_t{2} * packed->plan_count);
  reader->Pad(4);
  const uint8_t* stored_references = reader->Take(StreamBytes(packed->blocks, reference_width));
  Plan* plans = body.arena->Take<Plan>(packed->plan_count);
  uint32_t* references = body.arena->Take<uint32_t>(packed->blocks);
  if (!reader->ok() || plans == nullptr || references == nullptr) return false;
  packed->wide = false;
  for (uint32_t i = 0; i < packed->plan_count; ++i) {
    uint16_t code;
    std::memcpy(&code, codes + 2 * i, sizeof code);
    if (!ParsePlan(code, &plans[i])) return false;
    packed->wide = packed->wide || plans[i].low_bits > 32;
  }
  if (packed->wide && (reference_width != 0 || packed->step != 1)) return false;
  UnpackBits(stored_references, reference_width, packed->blocks, 0, references);
  packed->plans = plans;
  packed->references = references;
  return true;
}

uint32_t CountIn(const Node& node, const Packed& packed, uint32_t block) {
  const uint32_t first = block << packed.block_log2;
  const uint32_t length = 1u << packed.block_log2;
  return node.count - first < length ? node.count - first : length;
}

void SetLine(const Packed& packed, uint64_t below, const uint32_t* numbers, NodeValues* values) {
  values->kind = NodeValues::Kind::kNarrow;
  values->base = packed.base;
  values->step = packed.step;
  values->below = below < uint64_t{1} << 32 ? below : uint64_t{1} << 32;
  values->numbers = numbers;
}

uint64_t BitsAt(const uint8_t* stream, uint64_t index, unsigned width) {
  const uint64_t bit = index * width;
  uint64_t word;
  std::memcpy(&word, stream + bit / 8, sizeof word);
  return word >> (bit % 8) & ((uint64_t{1} << width) - 1);
}

constexpr unsigned kPowersOfThree[] = {1, 3, 9, 27, 81, 243};
constexpr unsigned kPowersOfFive[] = {1, 5, 25, 125};

// The packed value at `index` of a block of `count`; false for digits that are none.
bool ValueAt(const Plan& plan, const uint8_t* block, uint32_t count, uint32_t index, uint64_t* value) {
  if (plan.low_bits > 32) {
    uint32_t low;
    std::memcpy(&low, block + 4 * size_t{index}, sizeof low);
    *value = BitsAt(block + 4 * size_t{count}, index, plan.low_bits - 32) << 32 | low;
    return true;
  }
  uint64_t sum = BitsAt(block, index, plan.low_bits);
  block += StreamBytes(count, plan.low_bits);
  uint64_t scale = uint64_t{1} << plan.low_bits;
  for (unsigned plane = 0; plane < plan.threes; ++plane, scale *= 3, block += ThreesBytes(count)) {
    const unsigned group = block[index / 5];
    if (group >= kPowersOfThree[5]) return false;
    sum += scale * (group / kPowersOfThree[index % 5] % 3);
  }
  for (unsigned plane = 0; plane < plan.fives; ++plane, scale *= 5, block += FivesBytes(count)) {
    const auto group = static_cast<unsigned>(BitsAt(block, index / 3, 7));
    if (group >= kPowersOfFive[3]) return false;
    sum += scale * (group / kPowersOfFive[index % 3] % 5);
  }
  *value = sum;
  return true;
}

}  // namespace

bool DecodeBitPack(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  Packed packed;
  if (!ReadPacked(body, node, &reader, &packed)) return false;
  const bool wide = packed.wide;
  uint32_t* numbers = body.arena->Take<uint32_t>(wide ? CountIn(node, packed, 0) : node.count);
  uint64_t* words = nullptr;
  if (wide)
    words = node.depth == 1 && body.root_words != nullptr ? body.root_words : body.arena->Take<uint64_t>(node.count);
  if (numbers == nullptr || (wide && words == nullptr)) return false;
  uint64_t below = 1;
  for (uint32_t block = 0; block < packed.blocks; ++block) {
    const Plan& plan = packed.PlanOf(block);
    const uint32_t reference = packed.references[block];
    const uint32_t first = block << packed.block_log2;
    const uint32_t in_block = CountIn(node, packed, block);
    const uint8_t* planes = reader.Take(PlanBytes(plan, in_block));
    if (!reader.ok()) return false;
    if (!wide && reference + plan.capacity > below) below = reference + plan.capacity;
    if (!(wide ? UnpackWideBlock(plan, planes, in_block, packed.base, numbers, words + first)
               : UnpackNarrowBlock(plan, planes, in_block, reference, numbers + first)))
      return false;
  }
  if (!reader.AtEnd()) return false;
  if (!wide) {
    SetLine(packed, below, numbers, values);
    return true;
  }
  values->kind = NodeValues::Kind::kWide;
  values->words = words;
  return true;
}

bool PickBitPack(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  NodeReader reader(body, node);
  Packed packed;
  if (!ReadPacked(body, node, &reader, &packed)) return false;
  const auto** planes = body.arena->Take<const uint8_t*>(packed.blocks);
  uint32_t* numbers = body.arena->Take<uint32_t>(picks.count);
  uint64_t* words = packed.wide ? body.arena->Take<uint64_t>(picks.count) : nullptr;
  uint32_t* room = nullptr;
  if (planes == nullptr || numbers == nullptr || (packed.wide && words == nullptr)) return false;
  uint64_t below = 1;
  for (uint32_t block = 0; block < packed.blocks; ++block) {
    const Plan& plan = packed.PlanOf(block);
    planes[block] = reader.Take(PlanBytes(plan, CountIn(node, packed, block)));
    if (!packed.wide && packed.references[block] + plan.capacity > below)
      below = packed.references[block] + plan.capacity;
  }
  if (!reader.AtEnd()) return false;
  for (uint32_t i = 0; i < picks.count;) {
    const uint32_t block = picks.indexes[i] >> packed.block_log2;
    const uint32_t index = picks.indexes[i] & ((1u << packed.block_log2) - 1);
    const uint32_t in_block = CountIn(node, packed, block);
    const Plan& plan = packed.PlanOf(block);
    const uint32_t most = std::min(picks.count - i, in_block - index);
    uint32_t run = 1;
    // Wide values are read one by one: runs of them are not looked for, again from each value of a run.
    while (!packed.wide && run < most && picks.indexes[i + run] == picks.indexes[i] + run) ++run;
    if (run >= kLeastRun) {
      const uint32_t skipped = index % kAligned;
      if (room == nullptr) room = body.arena->Take<uint32_t>(size_t{picks.count} + kAligned);
      if (room == nullptr ||
          !UnpackPart(plan, planes[block], in_block, index - skipped, skipped + run, packed.references[block], room))
        return false;
      std::copy_n(room + skipped, run, numbers + i);
      i += run;
      continue;
    }
    for (uint32_t in_run = 0; in_run < run; ++in_run, ++i) {
      uint64_t value;
      if (!ValueAt(plan, planes[block], in_block, index + in_run, &value)) return false;
      if (packed.wide)
        words[i] = packed.base + value;
      else
        numbers[i] = packed.references[block] + static_cast<uint32_t>(value);
    }
  }
  if (!packed.wide) {
    SetLine(packed, below, numbers, values);
    return true;
  }
  values->kind = NodeValues::Kind::kWide;
  values->words = words;
  return true;
}

}  // namespace colkit
