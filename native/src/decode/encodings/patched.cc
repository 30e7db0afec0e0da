// PATCHED: another node with some of its values replaced. docs/formats/columna.md, section 4.2.
#include <algorithm>

#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {
namespace {

// Integers and patches of it as numbers of one line, where 32 bits are enough for all: what looks at packed numbers
// then need not know of patches. False where they are not, and nothing was done.
bool PatchNumbers(const uint32_t* positions, const uint64_t* replacements, uint32_t count, bool is_own, Arena* arena,
                  NodeValues* values) {
  constexpr auto kMost = static_cast<int64_t>(kLargestSafe);
  const auto base = static_cast<int64_t>(values->base);
  const auto step = static_cast<int64_t>(values->step);
  if (values->kind != NodeValues::Kind::kNarrow || values->patch_count > 0 || base > kMost || base < -kMost ||
      step < 1 || step > INT32_MAX)
    return false;
  int64_t least = base;
  int64_t most = base;
  for (uint32_t i = 0; i < count; ++i) {
    const auto word = static_cast<int64_t>(replacements[i]);
    if (word > kMost || word < -kMost || (step != 1 && (word - base) % step != 0)) return false;
    least = word < least ? word : least;
    most = word > most ? word : most;
  }
  const auto shift = static_cast<uint64_t>((base - least) / step);
  const auto patched_below = static_cast<uint64_t>((most - least) / step) + 1;
  const uint64_t below = patched_below > values->below + shift ? patched_below : values->below + shift;
  if (below > UINT32_MAX) return false;
  // What was decoded for this node alone is patched where it is.
  auto* numbers = is_own ? const_cast<uint32_t*>(values->numbers) : arena->Take<uint32_t>(values->count);
  if (numbers == nullptr) return false;
  const auto more = static_cast<uint32_t>(shift);
  if (!is_own || more != 0) {
    for (uint32_t i = 0; i < values->count; ++i) numbers[i] = values->numbers[i] + more;
  }
  if (step == 1) {
    // Divisions would take longer than all the rest.
    for (uint32_t i = 0; i < count; ++i)
      numbers[positions[i]] = static_cast<uint32_t>(static_cast<int64_t>(replacements[i]) - least);
  } else {
    for (uint32_t i = 0; i < count; ++i)
      numbers[positions[i]] = static_cast<uint32_t>((static_cast<int64_t>(replacements[i]) - least) / step);
  }
  values->base = static_cast<uint64_t>(least);
  values->below = below;
  values->numbers = numbers;
  return true;
}

struct Parts {
  uint32_t count;
  Node values;
  Node replacements;
  const uint32_t* positions;  // ascending
};

bool OpenPatches(const PageBody& body, const Node& node, Parts* parts) {
  NodeReader reader(body, node);
  parts->count = reader.Count(node.count);
  reader.Take(4);
  parts->values = reader.Child(node.count, node.domain);
  const Node positions_node = reader.Child(parts->count);
  parts->replacements = reader.Child(parts->count);
  if (!reader.AtEnd()) return false;
  parts->positions = DecodeNumbers(body, positions_node, node.count);
  if (parts->positions == nullptr) return false;
  for (uint32_t i = 1; i < parts->count; ++i) {
    if (parts->positions[i] <= parts->positions[i - 1]) return false;
  }
  return true;
}

}  // namespace

bool DecodePatched(const PageBody& body, const Node& node, NodeValues* values) {
  Parts parts;
  NodeValues below;
  NodeValues replacements;
  if (!OpenPatches(body, node, &parts) || !DecodeNode(body, parts.values, &below) ||
      !DecodeIntegers(body, parts.replacements, &replacements) || !ApplyPatches(&below, node.domain, body.arena))
    return false;
  *values = below;
  const uint64_t* patterns = PatternsOf(replacements, Domain::kIntegers, body.arena);
  if (patterns == nullptr) return false;
  // Numbers may also be those in the page.
  const auto* numbers = reinterpret_cast<const uint8_t*>(values->numbers);
  const bool is_own = numbers < body.bytes || numbers >= body.bytes + body.byte_length;
  if (PatchNumbers(parts.positions, patterns, parts.count, is_own, body.arena, values)) return true;
  values->patch_count = parts.count;
  values->positions = parts.positions;
  values->replacements = patterns;
  return true;
}

bool PickPatched(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Parts parts;
  if (!OpenPatches(body, node, &parts) || !PickNode(body, parts.values, picks, values) ||
      !ApplyPatches(values, node.domain, body.arena))
    return false;
  // Which of the picks are patched, and by which patch.
  uint32_t* patched = body.arena->Take<uint32_t>(picks.count);
  uint32_t* patches = body.arena->Take<uint32_t>(picks.count);
  if (patched == nullptr || patches == nullptr) return false;
  const uint32_t* end = parts.positions + parts.count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < picks.count; ++i) {
    const uint32_t* found = std::lower_bound(parts.positions, end, picks.indexes[i]);
    if (found == end || *found != picks.indexes[i]) continue;
    patched[count] = i;
    patches[count++] = static_cast<uint32_t>(found - parts.positions);
  }
  if (count == 0) return true;
  NodeValues replacements;
  if (!PickIntegers(body, parts.replacements, {patches, count}, &replacements)) return false;
  values->replacements = PatternsOf(replacements, Domain::kIntegers, body.arena);
  values->patch_count = count;
  values->positions = patched;
  return values->replacements != nullptr;
}

}  // namespace colkit
