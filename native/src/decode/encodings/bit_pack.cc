// BITPACK: minus a minimum, divided by a step, in the fewest bits, in blocks with references and widths of their own.
// docs/formats/columna.md, section 4.2.
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

bool UnpackNarrowBlock(const Plan& plan, const uint8_t* block, size_t count, uint32_t reference, uint32_t* out) {
  UnpackBits(block, plan.low_bits, count, reference, out);
  block += StreamBytes(count, plan.low_bits);
  uint32_t scale = plan.threes + plan.fives == 0 ? 0 : 1u << plan.low_bits;
  bool legal = true;
  for (unsigned plane = 0; plane < plan.threes; ++plane, scale *= 3, block += ThreesBytes(count))
    legal = AddThrees(block, count, scale, out) && legal;
  for (unsigned plane = 0; plane < plan.fives; ++plane, scale *= 5, block += FivesBytes(count))
    legal = AddFives(block, count, scale, out) && legal;
  return legal;
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

}  // namespace

bool DecodeBitPack(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  if (node.parameter > 1) return false;
  const uint64_t base = reader.Number<uint64_t>();
  const uint64_t step = reader.Number<uint64_t>();
  const unsigned block_log2 = reader.Number<uint8_t>();
  const unsigned reference_width = reader.Number<uint8_t>();
  reader.Take(6);
  if (!reader.ok() || block_log2 < kSmallestBlockLog2 || block_log2 > kLargestBlockLog2 || reference_width > 32)
    return false;
  const uint32_t blocks = ((node.count - 1) >> block_log2) + 1;
  const uint32_t plan_count = node.parameter == 1 ? 1 : blocks;
  const uint8_t* codes = reader.Take(uint64_t{2} * plan_count);
  reader.Pad(4);
  const uint8_t* stored_references = reader.Take(StreamBytes(blocks, reference_width));
  Plan* plans = body.arena->Take<Plan>(plan_count);
  uint32_t* references = body.arena->Take<uint32_t>(blocks);
  if (!reader.ok() || plans == nullptr || references == nullptr) return false;
  bool wide = false;
  for (uint32_t i = 0; i < plan_count; ++i) {
    uint16_t code;
    std::memcpy(&code, codes + 2 * i, sizeof code);
    if (!ParsePlan(code, &plans[i])) return false;
    wide = wide || plans[i].low_bits > 32;
  }
  if (wide && (reference_width != 0 || step != 1)) return false;
  UnpackBits(stored_references, reference_width, blocks, 0, references);
  const uint32_t length = 1u << block_log2;
  const uint32_t longest = node.count < length ? node.count : length;
  uint32_t* numbers = body.arena->Take<uint32_t>(wide ? longest : node.count);
  uint64_t* words = nullptr;
  if (wide)
    words = node.depth == 1 && body.root_words != nullptr ? body.root_words : body.arena->Take<uint64_t>(node.count);
  if (numbers == nullptr || (wide && words == nullptr)) return false;
  uint64_t below = 1;
  for (uint32_t block = 0, first = 0; block < blocks; ++block, first += length) {
    const Plan& plan = plans[plan_count == 1 ? 0 : block];
    const uint32_t in_block = node.count - first < length ? node.count - first : length;
    const uint8_t* planes = reader.Take(PlanBytes(plan, in_block));
    if (!reader.ok()) return false;
    if (!wide && references[block] + plan.capacity > below) below = references[block] + plan.capacity;
    if (!(wide ? UnpackWideBlock(plan, planes, in_block, base, numbers, words + first)
               : UnpackNarrowBlock(plan, planes, in_block, references[block], numbers + first)))
      return false;
  }
  if (!reader.AtEnd()) return false;
  if (wide) {
    values->kind = NodeValues::Kind::kWide;
    values->words = words;
    return true;
  }
  values->kind = NodeValues::Kind::kNarrow;
  values->base = base;
  values->step = step;
  values->below = below < uint64_t{1} << 32 ? below : uint64_t{1} << 32;
  values->numbers = numbers;
  return true;
}

}  // namespace colkit
