// See text_values.h. docs/formats/columna.md, section 4.2.
#include "decode/texts/text_values.h"

#include <new>

#include "decode/node_reader.h"
#include "decode/texts/text_blocks.h"
#include "decode/texts/text_fronts.h"
#include "decode/texts/text_matches.h"
#include "decode/texts/text_symbols.h"

namespace colkit {
namespace {

bool DecodePlainTexts(const PageBody& body, const Node& node, TextValues* texts) {
  NodeReader reader(body, node);
  const uint32_t byte_length = reader.Number<uint32_t>();
  reader.Take(4);
  const Node ends_node = reader.Child(node.count);
  texts->bytes = reader.Take(byte_length);
  texts->byte_length = byte_length;
  texts->count = node.count;
  if (!reader.AtEnd() || node.parameter != 0) return false;
  texts->ends = DecodeNumbers(body, ends_node, uint64_t{byte_length} + 1);
  if (texts->ends == nullptr) return false;
  uint32_t last = 0;
  bool falls = false;
  for (uint32_t i = 0; i < node.count; ++i) {
    falls |= texts->ends[i] < last;
    last = texts->ends[i];
  }
  return !falls && last == byte_length;
}

template <typename Lazy>
bool DecodeLazyTexts(const PageBody& body, const Node& node, TextValues* texts) {
  Lazy* room = body.arena->Take<Lazy>(1);
  if (room == nullptr) return false;
  Lazy* lazy = new (room) Lazy();
  if (!lazy->Read(body, node, &texts->ends)) return false;
  texts->lazy = lazy;
  texts->bytes = lazy->bytes();
  texts->byte_length = lazy->byte_length();
  texts->count = node.count;
  return true;
}

bool DecodeDistinctTexts(const PageBody& body, const Node& node, TextValues* texts) {
  switch (node.encoding) {
    case kPlain:
      return DecodePlainTexts(body, node, texts);
    case kBlocks:
      return DecodeLazyTexts<TextBlocks>(body, node, texts);
    case kOnpair:
      return DecodeLazyTexts<TextSymbols>(body, node, texts);
    case kFront:
      return DecodeLazyTexts<TextFronts>(body, node, texts);
    case kMatches:
      return DecodeTextMatches(body, node, texts);
    default:
      return false;
  }
}

}  // namespace

bool LoadTexts(const TextValues& texts) { return texts.lazy == nullptr || texts.lazy->Load(0, texts.byte_length); }

bool DecodeTexts(const PageBody& body, const Node& node, TextValues* texts) {
  if (node.encoding != kDictionary) return DecodeDistinctTexts(body, node, texts);
  NodeReader reader(body, node);
  const uint32_t entry_count = reader.Count(kMaxDictionaryEntries);
  reader.Take(4);
  const Node entries = reader.Child(entry_count, node.domain);
  const Node codes = reader.Child(node.count);
  if (!reader.AtEnd() || !DecodeDistinctTexts(body, entries, texts)) return false;
  texts->codes = DecodeNumbers(body, codes, entry_count);
  return texts->codes != nullptr;
}

}  // namespace colkit
