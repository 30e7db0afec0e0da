// See column_nodes.h.
#include "decode/column_nodes.h"

#include <cstring>

#include "decode/node_reader.h"

namespace colkit {
namespace {

constexpr unsigned kLargestExponent = 22;

template <typename T>
const T* Aligned(const uint8_t* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

bool DecodePlain(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  if (node.parameter > 3) return false;
  const unsigned width = 1u << node.parameter;
  if (node.depth == 1 && width != body.item_bytes) return false;
  const uint8_t* items = reader.Take(static_cast<uint64_t>(node.count) * width);
  if (!reader.AtEnd()) return false;
  if (width == 8) {
    values->kind = NodeValues::Kind::kWide;
    values->words = Aligned<uint64_t>(items);  // nodes start at multiples of 8
    return true;
  }
  values->kind = NodeValues::Kind::kNarrow;
  values->below = uint64_t{1} << (8 * width);
  if (width == 4) {
    values->numbers = Aligned<uint32_t>(items);
    return true;
  }
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (numbers == nullptr) return false;
  if (width == 1) {
    for (uint32_t i = 0; i < node.count; ++i) numbers[i] = items[i];
  } else {
    for (uint32_t i = 0; i < node.count; ++i) numbers[i] = Aligned<uint16_t>(items)[i];
  }
  values->numbers = numbers;
  return true;
}

// Makes values with patches plain patterns, where their positions are about to change their meaning. False where there
// is no room.
bool ApplyPatches(NodeValues* values, Domain domain, Arena* arena) {
  if (values->patch_count == 0) return true;
  NodeValues patterns;
  patterns.count = values->count;
  patterns.words = PatternsOf(*values, domain, arena);
  *values = patterns;
  return values->words != nullptr;
}

bool DecodeIntegers(const PageBody& body, const Node& node, NodeValues* values) {
  return DecodeNode(body, node, values) && ApplyPatches(values, node.domain, body.arena);
}

uint64_t WordAt(const NodeValues& values, size_t i) {
  return values.kind == NodeValues::Kind::kNarrow ? values.base + values.step * values.numbers[i] : values.words[i];
}

bool DecodeDelta(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const unsigned block_log2 = reader.Number<uint8_t>();
  reader.Take(7);
  if (!reader.ok() || block_log2 < kSmallestBlockLog2 || block_log2 > kLargestBlockLog2) return false;
  const Node bases_node = reader.Child(((node.count - 1) >> block_log2) + 1);
  const Node gaps_node = reader.Child(node.count);
  if (!reader.AtEnd()) return false;
  uint64_t* words =
      node.depth == 1 && body.root_words != nullptr ? body.root_words : body.arena->Take<uint64_t>(node.count);
  NodeValues bases;
  NodeValues gaps;
  if (words == nullptr || !DecodeIntegers(body, bases_node, &bases) || !DecodeIntegers(body, gaps_node, &gaps))
    return false;
  const size_t length = size_t{1} << block_log2;
  for (size_t first = 0, block = 0; first < node.count; first += length, ++block) {
    const size_t end = node.count - first < length ? node.count : first + length;
    uint64_t sum = WordAt(bases, block);
    words[first] = sum;
    if (gaps.kind == NodeValues::Kind::kNarrow) {
      const uint64_t base = gaps.base;
      const uint64_t step = gaps.step;
      size_t i = first + 1;
      // Four at a time: only one of four additions waits for the sum before.
      for (; i + 4 <= end; i += 4) {
        const uint64_t a = base + step * gaps.numbers[i];
        const uint64_t b = a + base + step * gaps.numbers[i + 1];
        const uint64_t c = b + base + step * gaps.numbers[i + 2];
        const uint64_t d = c + base + step * gaps.numbers[i + 3];
        words[i] = sum + a;
        words[i + 1] = sum + b;
        words[i + 2] = sum + c;
        words[i + 3] = sum += d;
      }
      for (; i < end; ++i) words[i] = sum += base + step * gaps.numbers[i];
    } else {
      for (size_t i = first + 1; i < end; ++i) words[i] = sum += gaps.words[i];
    }
  }
  values->kind = NodeValues::Kind::kWide;
  values->words = words;
  return true;
}

}  // namespace

bool PickValues(NodeValues source, const uint32_t* places, uint32_t count, Domain domain, Arena* arena,
                NodeValues* picked) {
  if (!ApplyPatches(&source, domain, arena)) return false;
  *picked = source;
  picked->count = count;
  if (source.numbers != nullptr) {
    uint32_t* numbers = arena->Take<uint32_t>(count);
    if (numbers == nullptr) return false;
    for (uint32_t i = 0; i < count; ++i) numbers[i] = source.numbers[places[i]];
    picked->numbers = numbers;
    return true;
  }
  uint64_t* words = arena->Take<uint64_t>(count);
  if (words == nullptr) return false;
  for (uint32_t i = 0; i < count; ++i) words[i] = source.words[places[i]];
  picked->words = words;
  return true;
}

namespace {

bool DecodeDictionary(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t entry_count = reader.Count(kMaxDictionaryEntries);
  reader.Take(4);
  const Node entries_node = reader.Child(entry_count, node.domain);
  const Node codes_node = reader.Child(node.count);
  if (!reader.AtEnd() || node.domain == Domain::kStrings) return false;
  NodeValues entries;
  if (!DecodeNode(body, entries_node, &entries)) return false;
  const uint32_t* codes = DecodeNumbers(body, codes_node, entry_count);
  return codes != nullptr && PickValues(entries, codes, node.count, node.domain, body.arena, values);
}

bool DecodeRle(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t run_count = reader.Count(node.count);
  reader.Take(4);
  const Node values_node = reader.Child(run_count, node.domain);
  const Node lengths_node = reader.Child(run_count);
  if (!reader.AtEnd()) return false;
  const uint32_t* lengths = DecodeNumbers(body, lengths_node, uint64_t{node.count} + 1);
  uint32_t* places = body.arena->Take<uint32_t>(node.count);
  NodeValues runs;
  if (lengths == nullptr || places == nullptr || !DecodeNode(body, values_node, &runs)) return false;
  uint64_t sum = 0;
  for (uint32_t run = 0; run < run_count; ++run) {
    if (lengths[run] == 0) return false;
    sum += lengths[run];
  }
  if (sum != node.count) return false;
  // For small numbers row -> number at once, else row -> run.
  const bool direct = runs.numbers != nullptr && runs.patch_count == 0;
  uint32_t* to = places;
  for (uint32_t run = 0; run < run_count; ++run) {
    const uint32_t value = direct ? runs.numbers[run] : run;
    for (uint32_t* const end = to + lengths[run]; to < end; ++to) *to = value;
  }
  if (!direct) return PickValues(runs, places, node.count, node.domain, body.arena, values);
  *values = runs;
  values->count = node.count;
  values->numbers = places;
  return true;
}

// Whether every base + step * number is an exact double, and every part of the sum: what is computed in doubles has to
// come out below 2^53, since what is beyond may be rounded to it.
bool IsSafeLine(const NodeValues& values) {
  const auto base = static_cast<int64_t>(values.base);
  const auto step = static_cast<int64_t>(values.step);
  const auto most = static_cast<int64_t>(kLargestSafe);
  if (base > most || base < -most || step > most || step < -most) return false;
  const double span = static_cast<double>(step) * static_cast<double>(values.below - 1);
  const double last = static_cast<double>(base) + span;
  const auto limit = static_cast<double>(kLargestSafe);
  return span < limit && span > -limit && last < limit && last > -limit;
}

bool DecodeDecimal(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const unsigned exponent = reader.Number<uint8_t>();
  reader.Take(7);
  const Node integers_node = reader.Child(node.count);
  const bool is_float = node.domain == Domain::kFloat32 || node.domain == Domain::kFloat64;
  if (!reader.AtEnd() || !is_float || exponent > kLargestExponent) return false;
  NodeValues integers;
  if (!DecodeIntegers(body, integers_node, &integers)) return false;
  *values = integers;
  values->kind = NodeValues::Kind::kDecimal;
  values->exponent = exponent;
  if (integers.kind == NodeValues::Kind::kNarrow && IsSafeLine(integers)) return true;
  uint64_t* words = body.arena->Take<uint64_t>(node.count);
  if (words == nullptr) return false;
  bool safe = true;
  for (uint32_t i = 0; i < node.count; ++i) {
    words[i] = WordAt(integers, i);
    safe = safe && words[i] + kLargestSafe <= 2 * kLargestSafe;
  }
  values->numbers = nullptr;
  values->words = words;
  return safe;
}

bool DecodeAffine(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  values->base = reader.Number<uint64_t>();
  values->step = reader.Number<uint64_t>();
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (!reader.AtEnd() || numbers == nullptr) return false;
  for (uint32_t i = 0; i < node.count; ++i) numbers[i] = i;
  values->kind = NodeValues::Kind::kNarrow;
  values->below = node.count;
  values->numbers = numbers;
  return true;
}

bool DecodePatched(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t count = reader.Count(node.count);
  reader.Take(4);
  const Node values_node = reader.Child(node.count, node.domain);
  const Node positions_node = reader.Child(count);
  const Node replacements_node = reader.Child(count);
  if (!reader.AtEnd()) return false;
  NodeValues below;
  NodeValues replacements;
  if (!DecodeNode(body, values_node, &below) || !DecodeIntegers(body, replacements_node, &replacements)) return false;
  const uint32_t* positions = DecodeNumbers(body, positions_node, node.count);
  if (positions == nullptr) return false;
  for (uint32_t i = 1; i < count; ++i) {
    if (positions[i] <= positions[i - 1]) return false;
  }
  if (!ApplyPatches(&below, node.domain, body.arena)) return false;
  *values = below;
  values->patch_count = count;
  values->positions = positions;
  values->replacements = PatternsOf(replacements, Domain::kIntegers, body.arena);
  return values->replacements != nullptr;
}

bool DecodeBits(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const Node octets_node = reader.Child((node.count + 7) / 8);
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (!reader.AtEnd() || numbers == nullptr) return false;
  const uint8_t* octets = DecodeOctets(body, octets_node);
  if (octets == nullptr) return false;
  for (uint32_t i = 0; i < node.count; ++i) numbers[i] = octets[i / 8] >> (i % 8) & 1;
  values->kind = NodeValues::Kind::kNarrow;
  values->below = 2;
  values->numbers = numbers;
  return true;
}

// As codes: what they stand for is not known here.
bool DecodeCodes(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const Node codes_node = reader.Child(node.count);
  if (!reader.AtEnd() || node.depth != 1 || body.entry_count == 0) return false;
  values->kind = NodeValues::Kind::kNarrow;
  values->numbers = DecodeNumbers(body, codes_node, body.entry_count);
  if (values->numbers == nullptr) return false;
  // How many entries there are is not known here: whoever knows compares.
  uint32_t largest = 0;
  for (uint32_t i = 0; i < node.count; ++i) largest = values->numbers[i] > largest ? values->numbers[i] : largest;
  values->below = uint64_t{largest} + 1;
  return true;
}

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
  switch (node.encoding) {
    case kPlain:
      return DecodePlain(body, node, values);
    case kDelta:
      return DecodeDelta(body, node, values);
    case kDictionary:
      return DecodeDictionary(body, node, values);
    case kRle:
      return DecodeRle(body, node, values);
    case kBitPack:
      return DecodeBitPack(body, node, values);
    case kDecimal:
      return DecodeDecimal(body, node, values);
    case kAffine:
      return DecodeAffine(body, node, values);
    case kPatched:
      return DecodePatched(body, node, values);
    case kBits:
      return DecodeBits(body, node, values);
    case kCodes:
      return DecodeCodes(body, node, values);
    case kEntropy:
      return DecodeEntropy(body, node, values);
    default:
      return false;
  }
}

const uint32_t* DecodeNumbers(const PageBody& body, const Node& node, uint64_t limit) {
  NodeValues integers;
  if (!DecodeIntegers(body, node, &integers)) return nullptr;
  if (integers.kind == NodeValues::Kind::kNarrow && integers.base == 0 && integers.step == 1) {
    if (integers.below <= limit) return integers.numbers;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < node.count; ++i) largest = integers.numbers[i] > largest ? integers.numbers[i] : largest;
    return largest < limit ? integers.numbers : nullptr;
  }
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (numbers == nullptr) return nullptr;
  for (uint32_t i = 0; i < node.count; ++i) {
    const uint64_t word = WordAt(integers, i);
    if (word >= limit) return nullptr;
    numbers[i] = static_cast<uint32_t>(word);
  }
  return numbers;
}

const uint8_t* DecodeOctets(const PageBody& body, const Node& node) {
  NodeValues integers;
  if (!DecodeIntegers(body, node, &integers)) return nullptr;
  uint8_t* octets = body.arena->Take<uint8_t>(node.count);
  if (octets == nullptr) return nullptr;
  for (uint32_t i = 0; i < node.count; ++i) octets[i] = static_cast<uint8_t>(WordAt(integers, i));
  return octets;
}

const uint64_t* PatternsOf(const NodeValues& values, Domain domain, Arena* arena) {
  uint64_t* words = arena->Take<uint64_t>(values.count);
  if (words == nullptr) return nullptr;
  if (values.kind != NodeValues::Kind::kDecimal) {
    for (uint32_t i = 0; i < values.count; ++i) words[i] = WordAt(values, i);
  } else {
    const double power = kPowersOfTen[values.exponent];
    for (uint32_t i = 0; i < values.count; ++i) {
      const uint64_t word = values.numbers != nullptr ? values.base + values.step * values.numbers[i] : values.words[i];
      const double quotient = static_cast<double>(static_cast<int64_t>(word)) / power;
      if (domain == Domain::kFloat32) {
        const auto single = static_cast<float>(quotient);
        uint32_t bits;
        std::memcpy(&bits, &single, sizeof bits);
        words[i] = bits;
      } else {
        std::memcpy(&words[i], &quotient, sizeof quotient);
      }
    }
  }
  for (uint32_t i = 0; i < values.patch_count; ++i) words[values.positions[i]] = values.replacements[i];
  return words;
}

}  // namespace colkit
