// See node_values.h.
#include "decode/node_values.h"

#include <cstring>

namespace colkit {

bool ApplyPatches(NodeValues* values, Domain domain, Arena* arena) {
  if (values->patch_count == 0) return true;
  NodeValues patterns;
  patterns.count = values->count;
  patterns.words = PatternsOf(*values, domain, arena);
  *values = patterns;
  return values->words != nullptr;
}

bool PickValues(NodeValues source, const uint32_t* indexes, uint32_t count, Domain domain, Arena* arena,
                NodeValues* picked) {
  if (!ApplyPatches(&source, domain, arena)) return false;
  *picked = source;
  picked->count = count;
  if (source.numbers != nullptr) {
    uint32_t* numbers = arena->Take<uint32_t>(count);
    if (numbers == nullptr) return false;
    for (uint32_t i = 0; i < count; ++i) numbers[i] = source.numbers[indexes[i]];
    picked->numbers = numbers;
    return true;
  }
  uint64_t* words = arena->Take<uint64_t>(count);
  if (words == nullptr) return false;
  for (uint32_t i = 0; i < count; ++i) words[i] = source.words[indexes[i]];
  picked->words = words;
  return true;
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
