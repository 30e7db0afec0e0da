// DECIMAL: integers divided by a power of ten. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {
namespace {

constexpr unsigned kLargestExponent = 22;

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

bool OpenDecimal(const PageBody& body, const Node& node, unsigned* exponent, Node* integers) {
  NodeReader reader(body, node);
  *exponent = reader.Number<uint8_t>();
  reader.Take(7);
  *integers = reader.Child(node.count);
  const bool is_float = node.domain == Domain::kFloat32 || node.domain == Domain::kFloat64;
  return reader.AtEnd() && is_float && *exponent <= kLargestExponent;
}

// False where an integer is beyond 2^53, or there is no room.
bool SetDecimals(const NodeValues& integers, unsigned exponent, Arena* arena, NodeValues* values) {
  *values = integers;
  values->kind = NodeValues::Kind::kDecimal;
  values->exponent = exponent;
  if (integers.kind == NodeValues::Kind::kNarrow && IsSafeLine(integers)) return true;
  uint64_t* words = arena->Take<uint64_t>(integers.count);
  if (words == nullptr) return false;
  bool safe = true;
  for (uint32_t i = 0; i < integers.count; ++i) {
    words[i] = WordAt(integers, i);
    safe = safe && words[i] + kLargestSafe <= 2 * kLargestSafe;
  }
  values->numbers = nullptr;
  values->words = words;
  return safe;
}

}  // namespace

bool DecodeDecimal(const PageBody& body, const Node& node, NodeValues* values) {
  unsigned exponent;
  Node child;
  NodeValues integers;
  if (!OpenDecimal(body, node, &exponent, &child)) return false;
  child.leaves_entries = node.leaves_entries;
  if (!DecodeIntegers(body, child, &integers)) return false;
  if (integers.entries == nullptr) return SetDecimals(integers, exponent, body.arena, values);
  NodeValues entries;
  entries.count = integers.entry_count;
  entries.words = integers.entries;
  *values = integers;
  if (!SetDecimals(entries, exponent, body.arena, &entries)) return false;
  values->entries = PatternsOf(entries, node.domain, body.arena);
  return values->entries != nullptr;
}

bool PickDecimal(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  unsigned exponent;
  Node child;
  NodeValues integers;
  return OpenDecimal(body, node, &exponent, &child) && PickIntegers(body, child, picks, &integers) &&
         SetDecimals(integers, exponent, body.arena, values);
}

}  // namespace colkit
