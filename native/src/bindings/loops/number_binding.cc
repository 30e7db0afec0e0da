// Loops over arrays of numbers and texts, of readers and of writers: the arrays checked, the loop called here. They
// take microseconds and run on the calling thread.
#include <algorithm>

#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "copy/spread_texts.h"
#include "encode/bit_pack_writer.h"
#include "encode/joint_codes.h"
#include "encode/number_sources.h"
#include "encode/numbers/pair_numbers.h"
#include "pages/folds/group_rows.h"
#include "pages/number_kernels.h"
#include "texts/text_extremes.h"

namespace colkit {
namespace {

napi_value Truth(napi_env env, bool value) {
  napi_value truth;
  Check(env, napi_get_boolean(env, value, &truth));
  return truth;
}

bool IsNull(napi_env env, napi_value value) {
  napi_valuetype type;
  Check(env, napi_typeof(env, value, &type));
  return type == napi_null;
}

bool Normalized(const ArrayView& items, uint32_t* normal, NormalForm* form, bool* known) {
  switch (items.type) {
    case napi_int8_array:
      return NormalizeItems(static_cast<const int8_t*>(items.data), items.length, normal, form);
    case napi_uint8_array:
    case napi_uint8_clamped_array:
      return NormalizeItems(static_cast<const uint8_t*>(items.data), items.length, normal, form);
    case napi_int16_array:
      return NormalizeItems(static_cast<const int16_t*>(items.data), items.length, normal, form);
    case napi_uint16_array:
      return NormalizeItems(static_cast<const uint16_t*>(items.data), items.length, normal, form);
    case napi_int32_array:
      return NormalizeItems(static_cast<const int32_t*>(items.data), items.length, normal, form);
    case napi_uint32_array:
      return NormalizeItems(static_cast<const uint32_t*>(items.data), items.length, normal, form);
    case napi_float64_array:
      return NormalizeItems(static_cast<const double*>(items.data), items.length, normal, form);
    case napi_bigint64_array:
      return NormalizeItems(static_cast<const int64_t*>(items.data), items.length, normal, form);
    case napi_biguint64_array:
      return NormalizeItems(static_cast<const uint64_t*>(items.data), items.length, normal, form);
    default:
      *known = false;
      return false;
  }
}

void Tell(napi_env env, napi_value to, const NormalForm& form) {
  const ArrayView facts = ReadFloat64Array(env, to, "facts");
  if (facts.length < 3) throw ArgumentError(env, "facts", "room for 3", std::to_string(facts.length), "ERR_OUT_BUFFER");
  auto* numbers = static_cast<double*>(facts.data);
  numbers[0] = form.least;
  numbers[1] = form.most;
  numbers[2] = form.divisor;
}

}  // namespace

napi_value SelectWithin(const Call& call) {
  const napi_env env = call.env;
  const Words numbers = ReadWords(env, call[0], "numbers");
  const auto first = static_cast<uint32_t>(ReadCount(env, call[1], "first", UINT32_MAX));
  const auto above = static_cast<uint32_t>(ReadCount(env, call[2], "above", UINT32_MAX));
  const Words indices = ReadWords(env, call[3], "indices");
  RequireRoom(env, indices.length, "indices", numbers.length);
  const size_t found = SelectWithin(numbers.data, numbers.length, first, above, indices.data);
  return Number(env, static_cast<double>(found));
}

napi_value SumByCode(const Call& call) {
  const napi_env env = call.env;
  const Words numbers = ReadWords(env, call[0], "numbers");
  const Words codes = ReadWords(env, call[1], "codes");
  const ArrayView sums = ReadFloat64Array(env, call[2], "sums");
  const ArrayView counts = ReadFloat64Array(env, call[3], "counts");
  if (codes.length != numbers.length || numbers.length > kMaxPageRows)
    throw ArgumentError(env, "codes", "as many as numbers, at most " + std::to_string(kMaxPageRows),
                        std::to_string(codes.length));
  if (sums.length != counts.length || sums.length > kMostSumCodes) {
    throw ArgumentError(env, "sums", "as many as counts, at most " + std::to_string(kMostSumCodes),
                        std::to_string(sums.length));
  }
  uint64_t lanes[kSumLanes * kMostSumCodes];
  const bool legal = SumByCode(numbers.data, codes.data, numbers.length, sums.length, lanes,
                               static_cast<double*>(sums.data), static_cast<double*>(counts.data));
  if (!legal) throw ArgumentError(env, "codes", "codes below " + std::to_string(sums.length), "a larger one");
  return Done(env, Outcome(), "sumByCode");
}

napi_value SpreadTexts(const Call& call) {
  const napi_env env = call.env;
  const auto start = static_cast<uint32_t>(ReadCount(env, call[1], "start", UINT32_MAX));
  const auto at = static_cast<uint32_t>(ReadCount(env, call[5], "at", UINT32_MAX));
  const BytesView bytes = ReadBytes(env, call[0], "bytes");
  const Words ends = ReadWords(env, call[2], "ends");
  const Words codes = ReadWords(env, call[3], "codes");
  const BytesView out = ReadBytes(env, call[4], "out");
  const Words out_ends = ReadWords(env, call[6], "outEnds");
  RequireRoom(env, out_ends.length, "outEnds", codes.length);
  const TextTable texts = {bytes.data, bytes.byte_length, start, ends.data, ends.length};
  const uint64_t end = SpreadTexts(texts, codes.data, codes.length, out.data, out.byte_length, at, out_ends.data);
  if (end == kBadTexts)
    throw ArgumentError(env, "codes", "codes of texts that lie in the bytes", "others");
  return Number(env, static_cast<double>(end));
}

napi_value BestTexts(const Call& call) {
  const napi_env env = call.env;
  const auto start = static_cast<uint32_t>(ReadCount(env, call[1], "start", UINT32_MAX));
  const BytesView bytes = ReadBytes(env, call[0], "bytes");
  const Words ends = ReadWords(env, call[2], "ends");
  const bool by_code = !IsNull(env, call[3]);
  const bool by_group = !IsNull(env, call[4]);
  const Words codes = by_code ? ReadWords(env, call[3], "codes") : Words{nullptr, ends.length};
  const Words groups = by_group ? ReadWords(env, call[4], "groups") : Words{nullptr, codes.length};
  const bool most = ReadCount(env, call[5], "most", 1) == 1;
  const Words best = ReadWords(env, call[6], "best");
  RequireRoom(env, groups.length, "groups", codes.length);
  const TextTable texts = {bytes.data, bytes.byte_length, start, ends.data, ends.length};
  if (!BestTexts(texts, {codes.length, codes.data, groups.data}, most, best.data, best.length))
    throw ArgumentError(env, "codes", "codes of texts that lie in the bytes, and groups that there are", "others");
  return Done(env, Outcome(), "bestTexts");
}

napi_value NumberPairs(const Call& call) {
  const napi_env env = call.env;
  const auto first = static_cast<size_t>(ReadCount(env, call[3], "first", UINT32_MAX));
  Words left = ReadWords(env, call[0], "left");
  uint32_t nothing[2];
  if (left.length == 0) left.data = nothing;
  const bool is_interleaved = IsNull(env, call[1]);
  const Words right = is_interleaved ? Words{left.data + 1, left.length} : ReadWords(env, call[1], "right");
  const bool has_nulls = !IsNull(env, call[2]);
  const ArrayView valid = has_nulls ? ReadByteArray(env, call[2], "validity") : ArrayView{};
  const Words numbers = ReadWords(env, call[4], "numbers");
  const Words slots = ReadWords(env, call[5], "slots");
  const Words known_left = ReadWords(env, call[6], "knownLeft");
  const Words known_right = ReadWords(env, call[7], "knownRight");
  const Words facts = ReadWords(env, call[8], "facts");
  const size_t count = is_interleaved ? left.length / 2 : left.length;
  RequireRoom(env, right.length, "right", is_interleaved ? 0 : count);
  RequireRoom(env, numbers.length, "numbers", count);
  RequireRoom(env, facts.length, "facts", 1);
  if (has_nulls) RequireRoom(env, 8 * valid.length, "validity", count);
  if (slots.length == 0 || (slots.length & (slots.length - 1)) != 0 || slots.length > (size_t{1} << 31))
    throw ArgumentError(env, "slots", "a power of two", std::to_string(slots.length));
  const size_t room = std::min(known_left.length, known_right.length);
  const uint32_t known_count = facts.data[0];
  if (known_count > room)
    throw ArgumentError(env, "facts", "as many known pairs as there is room for", std::to_string(known_count));
  const WordPairs pairs = {left.data, right.data, size_t{is_interleaved} + 1, count,
                           has_nulls ? static_cast<const uint8_t*>(valid.data) : nullptr};
  KnownPairs known = {known_left.data, known_right.data, room, known_count, slots.data, slots.length};
  const size_t done = NumberPairs(pairs, first, numbers.data, &known);
  facts.data[0] = static_cast<uint32_t>(known.known);
  return Number(env, static_cast<double>(done));
}

napi_value FoldByGroup(const Call& call) {
  const napi_env env = call.env;
  const auto fold = static_cast<uint32_t>(ReadCount(env, call[0], "fold", kGroupFolds - 1));
  const auto flags = static_cast<uint32_t>(ReadCount(env, call[1], "flags", kFoldFlags - 1));
  const Words groups = ReadWords(env, call[2], "groups");
  GroupedRows rows = {groups.data, groups.length, nullptr, nullptr, nullptr};
  const auto kind = static_cast<GroupFold>(fold);
  const bool has_words = kind == GroupFold::kWordSum || kind == GroupFold::kWordExtreme;
  if (has_words) {
    const Words words = ReadWords(env, call[3], "values");
    RequireRoom(env, words.length / 2, "values", rows.count);
    rows.words = words.data;
  } else if (kind != GroupFold::kCount) {
    const ArrayView numbers = ReadFloat64Array(env, call[3], "values");
    RequireRoom(env, numbers.length, "values", rows.count);
    rows.numbers = static_cast<const double*>(numbers.data);
  }
  if (!IsNull(env, call[4])) {
    const ArrayView valid = ReadByteArray(env, call[4], "validity");
    RequireRoom(env, 8 * valid.length, "validity", rows.count);
    rows.valid = static_cast<const uint8_t*>(valid.data);
  }
  const auto first = static_cast<size_t>(ReadCount(env, call[5], "first", UINT32_MAX));
  const ArrayView states[] = {ReadFloat64Array(env, call[6], "states"), ReadFloat64Array(env, call[7], "states"),
                              ReadFloat64Array(env, call[8], "states")};
  const size_t length = std::min({states[0].length, states[1].length, states[2].length});
  const auto of = [&](int index) { return static_cast<double*>(states[index].data); };
  const size_t done = FoldByGroup(kind, flags, rows, first, {of(0), of(1), of(2), length});
  return Number(env, static_cast<double>(done));
}

napi_value NormalizeItems(const Call& call) {
  const napi_env env = call.env;
  ArrayView items;
  if (!ReadTypedArray(env, call[0], "items", &items))
    throw ArgumentError(env, "items", "a typed array", Describe(env, call[0]));
  Words normal{};
  if (!IsNull(env, call[1])) {
    normal = ReadWords(env, call[1], "normal");
    RequireRoom(env, normal.length, "normal", items.length);
  }
  NormalForm form{};
  bool known = true;
  const bool done = Normalized(items, normal.data, &form, &known);
  if (!known) throw ArgumentError(env, "items", "integers or doubles", Describe(env, call[0]));
  Tell(env, call[2], form);
  return Truth(env, done);
}

napi_value NormalizeGaps(const Call& call) {
  const napi_env env = call.env;
  const Words values = ReadWords(env, call[0], "values");
  const Words normal = ReadWords(env, call[1], "normal");
  RequireRoom(env, normal.length, "normal", values.length);
  NormalForm form{};
  const bool done = NormalizeGaps(values.data, values.length, normal.data, &form);
  Tell(env, call[2], form);
  return Truth(env, done);
}

napi_value BlockRanges(const Call& call) {
  const napi_env env = call.env;
  const Words values = ReadWords(env, call[0], "values");
  const auto log2 = static_cast<unsigned>(ReadCount(env, call[1], "log2", 31));
  const Words least = ReadWords(env, call[2], "least");
  const Words most = ReadWords(env, call[3], "most");
  const size_t blocks = (values.length + (size_t{1} << log2) - 1) >> log2;
  RequireRoom(env, least.length, "least", blocks);
  RequireRoom(env, most.length, "most", blocks);
  BlockRanges(values.data, values.length, log2, least.data, most.data);
  return Done(env, Outcome(), "blockRanges");
}

napi_value CountBuckets(const Call& call) {
  const napi_env env = call.env;
  const Words values = ReadWords(env, call[0], "values");
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const Words counts = ReadWords(env, call[2], "counts");
  if (!CountBuckets(values.data, values.length, shift, counts.data, counts.length))
    throw ArgumentError(env, "values", "values of " + std::to_string(counts.length) + " buckets", "a larger one");
  return Done(env, Outcome(), "countBuckets");
}

napi_value RunStarts(const Call& call) {
  const napi_env env = call.env;
  const Words values = ReadWords(env, call[0], "values");
  const Words starts = ReadWords(env, call[1], "starts");
  return Number(env, static_cast<double>(RunStarts(values.data, values.length, starts.data, starts.length)));
}

napi_value JoinCodes(const Call& call) {
  const napi_env env = call.env;
  const auto most = static_cast<size_t>(ReadCount(env, call[2], "most", UINT32_MAX - 1));
  const Words first = ReadWords(env, call[0], "first");
  const Words second = ReadWords(env, call[1], "second");
  if (second.length != first.length)
    throw ArgumentError(env, "second", "as many as first", std::to_string(second.length));
  Words codes{};
  napi_valuetype type;
  Check(env, napi_typeof(env, call[3], &type));
  if (type != napi_null) {
    codes = ReadWords(env, call[3], "codes");
    RequireRoom(env, codes.length, "codes", first.length);
  }
  return Number(env, static_cast<double>(JoinCodes(first.data, second.data, first.length, most, codes.data)));
}

napi_value PackBits(const Call& call) {
  const napi_env env = call.env;
  const auto width = static_cast<unsigned>(ReadCount(env, call[1], "width", 32));
  const auto less = static_cast<uint32_t>(ReadCount(env, call[2], "less", UINT32_MAX));
  const Words values = ReadWords(env, call[0], "values");
  const Words words = ReadWords(env, call[3], "words");
  if (width == 0) throw ArgumentError(env, "width", "1 to 32", "0");
  RequireRoom(env, words.length, "words", (values.length * width + 31) / 32);
  PackBits(values.data, values.length, width, less, words.data);
  return Done(env, Outcome(), "packBits");
}

}  // namespace colkit
