// See column_nodes.h.
#include "decode/column_nodes.h"

#include <cstring>

#include "decode/encodings/encoding.h"
#include "decode/item_kernels.h"
#include "decode/node_values.h"

namespace colkit {
namespace {

// To find one value takes as long as to decode so many, about.
constexpr uint32_t kValuesPerPick = 8;

}  // namespace

bool ReadChild(const PageBody& body, const Node& parent, uint32_t* position, uint32_t count, Domain domain,
               Node* child) {
  constexpr uint32_t kHeaderBytes = 8;
  if (parent.end - *position < kHeaderBytes) return false;
  const uint8_t* header = body.bytes + *position;
  uint32_t bytes;
  std::memcpy(&bytes, header + 4, sizeof bytes);
  const uint32_t start = *position + kHeaderBytes;
  if (bytes > parent.end - start) return false;
  const uint32_t end = start + bytes;
  const uint32_t padding = (8 - (end - parent.start) % 8) % 8;
  if (padding > parent.end - end) return false;
  *child = {header[0], header[1], start, end, count, domain, parent.depth + 1};
  *position = end + padding;
  return true;
}

bool DecodeNode(const PageBody& body, const Node& node, NodeValues* values) {
  values->count = node.count;
  const EncodingKernels* kernels = KernelsOf(node.encoding);
  return kernels != nullptr && kernels->decode(body, node, values);
}

bool PickNode(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  values->count = picks.count;
  const EncodingKernels* kernels = KernelsOf(node.encoding);
  if (kernels == nullptr) return false;
  if (kernels->pick != nullptr && uint64_t{picks.count} * kValuesPerPick <= node.count)
    return kernels->pick(body, node, picks, values);
  NodeValues all;
  return DecodeNode(body, node, &all) &&
         PickValues(all, picks.indexes, picks.count, node.domain, body.arena, values);
}

bool DecodeIntegers(const PageBody& body, const Node& node, NodeValues* values) {
  return DecodeNode(body, node, values) && ApplyPatches(values, node.domain, body.arena);
}

bool PickIntegers(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  return PickNode(body, node, picks, values) && ApplyPatches(values, node.domain, body.arena);
}

namespace {

// Integers of which some are replaced, without making words of all.
const uint32_t* PatchedNumbers(const NodeValues& integers, uint64_t limit, Arena* arena) {
  uint32_t* numbers = arena->Take<uint32_t>(integers.count);
  if (numbers == nullptr || integers.kind == NodeValues::Kind::kDecimal) return nullptr;
  uint32_t beyond = 0;
  for (uint32_t i = 0; i < integers.count; ++i) {
    const uint64_t word = WordAt(integers, i);
    beyond += word >= limit ? 1 : 0;
    numbers[i] = static_cast<uint32_t>(word);
  }
  for (uint32_t i = 0; i < integers.patch_count; ++i) {
    const uint32_t position = integers.positions[i];
    if (integers.replacements[i] >= limit) return nullptr;
    beyond -= WordAt(integers, position) >= limit ? 1 : 0;
    numbers[position] = static_cast<uint32_t>(integers.replacements[i]);
  }
  return beyond == 0 ? numbers : nullptr;
}

const uint32_t* NumbersOf(const NodeValues& integers, uint64_t limit, Arena* arena) {
  if (integers.patch_count > 0) return PatchedNumbers(integers, limit, arena);
  if (integers.kind == NodeValues::Kind::kNarrow && integers.base == 0 && integers.step == 1) {
    const uint32_t* found = integers.numbers;
    if (integers.below <= limit) return found;
    return LargestOf(found, integers.count) < limit ? found : nullptr;
  }
  uint32_t* numbers = arena->Take<uint32_t>(integers.count);
  if (numbers == nullptr) return nullptr;
  if (integers.kind == NodeValues::Kind::kNarrow && integers.base <= UINT32_MAX && integers.step <= UINT32_MAX) {
    // Nothing wraps: each factor has 32 bits.
    const uint64_t largest = integers.base + integers.step * LargestOf(integers.numbers, integers.count);
    if (largest >= limit) return nullptr;
    const auto base = static_cast<uint32_t>(integers.base);
    const auto step = static_cast<uint32_t>(integers.step);
    for (uint32_t i = 0; i < integers.count; ++i) numbers[i] = base + step * integers.numbers[i];
    return numbers;
  }
  for (uint32_t i = 0; i < integers.count; ++i) {
    const uint64_t word = WordAt(integers, i);
    if (word >= limit) return nullptr;
    numbers[i] = static_cast<uint32_t>(word);
  }
  return numbers;
}

}  // namespace

const uint32_t* DecodeNumbers(const PageBody& body, const Node& node, uint64_t limit) {
  NodeValues integers;
  return DecodeNode(body, node, &integers) ? NumbersOf(integers, limit, body.arena) : nullptr;
}

const uint32_t* PickNumbers(const PageBody& body, const Node& node, const Picks& picks, uint64_t limit) {
  NodeValues integers;
  return PickNode(body, node, picks, &integers) ? NumbersOf(integers, limit, body.arena) : nullptr;
}

bool DecodeNarrow(const PageBody& body, const Node& node, uint64_t limit, NodeValues* values) {
  if (!DecodeNode(body, node, values)) return false;
  // Nothing wraps: each factor has 32 bits.
  if (values->kind == NodeValues::Kind::kNarrow && values->patch_count == 0 && values->base <= UINT32_MAX &&
      values->step <= UINT32_MAX && values->base + values->step * (values->below - 1) < limit)
    return true;
  const uint32_t* numbers = NumbersOf(*values, limit, body.arena);
  *values = {NodeValues::Kind::kNarrow, node.count, 0, 1, limit, numbers};
  return numbers != nullptr;
}

const uint8_t* DecodeOctets(const PageBody& body, const Node& node) {
  NodeValues integers;
  if (!DecodeIntegers(body, node, &integers)) return nullptr;
  uint8_t* octets = body.arena->Take<uint8_t>(node.count);
  if (octets == nullptr) return nullptr;
  for (uint32_t i = 0; i < node.count; ++i) octets[i] = static_cast<uint8_t>(WordAt(integers, i));
  return octets;
}

}  // namespace colkit
