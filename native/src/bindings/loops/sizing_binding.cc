// What writers ask of numbers and codes while they size encodings: the arrays checked, the loops called here.
#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "encode/numbers/decimal_split.h"
#include "encode/numbers/distinct_numbers.h"
#include "encode/joint_codes.h"
#include "encode/number_sources.h"
#include "encode/numbers/present_items.h"

namespace colkit {
namespace {

ArrayView ReadFloats(napi_env env, napi_value value) {
  ArrayView view;
  if (!ReadTypedArray(env, value, "values", &view) ||
      (view.type != napi_float64_array && view.type != napi_float32_array))
    throw ArgumentError(env, "values", "a Float64Array or a Float32Array", Describe(env, value));
  return view;
}

void RequireBits(napi_env env, const ArrayView& validity, size_t rows) {
  if (validity.length < (rows + 7) / 8)
    throw ArgumentError(env, "validity", "one bit for each row", std::to_string(validity.length) + " bytes");
}

bool IsNull(napi_env env, napi_value value) {
  napi_valuetype type;
  Check(env, napi_typeof(env, value, &type));
  return type == napi_null;
}

}  // namespace

napi_value SplitDecimals(const Call& call) {
  const napi_env env = call.env;
  const double power = ReadNumber(env, call[1], "power");
  const ArrayView values = ReadFloats(env, call[0]);
  const ArrayView integers = ReadFloat64Array(env, call[2], "integers");
  const Words exceptions = ReadWords(env, call[3], "exceptions");
  RequireRoom(env, integers.length, "integers", values.length);
  auto* const to = static_cast<double*>(integers.data);
  const size_t found =
      values.type == napi_float64_array
          ? SplitDecimals(static_cast<const double*>(values.data), values.length, power, to, exceptions.data,
                          exceptions.length)
          : SplitDecimals(static_cast<const float*>(values.data), values.length, power, to, exceptions.data,
                          exceptions.length);
  return Number(env, static_cast<double>(found));
}

napi_value FloatRangeOf(const Call& call) {
  const napi_env env = call.env;
  const ArrayView values = ReadFloats(env, call[0]);
  const ArrayView facts = ReadFloat64Array(env, call[1], "facts");
  RequireRoom(env, facts.length, "facts", 3);
  const FloatRange range = values.type == napi_float64_array
                               ? RangeOfFloats(static_cast<const double*>(values.data), values.length)
                               : RangeOfFloats(static_cast<const float*>(values.data), values.length);
  auto* const to = static_cast<double*>(facts.data);
  to[0] = range.least;
  to[1] = range.most;
  to[2] = static_cast<double>(range.nans);
  return Done(env, Outcome(), "floatRange");
}

napi_value DistinctNumbers(const Call& call) {
  const napi_env env = call.env;
  const Words values = ReadWords(env, call[0], "values");
  const Words entries = ReadWords(env, call[1], "entries");
  const Words codes = ReadWords(env, call[2], "codes");
  RequireRoom(env, codes.length, "codes", values.length);
  return Number(env, static_cast<double>(DistinctNumbers(values.data, values.length, entries.length, entries.data,
                                                         codes.data)));
}

napi_value DistinctWords(const Call& call) {
  const napi_env env = call.env;
  const Words words = ReadWords(env, call[0], "words");
  const Words entries = ReadWords(env, call[1], "entries");
  const Words codes = ReadWords(env, call[2], "codes");
  RequireRoom(env, codes.length, "codes", words.length / 2);
  return Number(env, static_cast<double>(DistinctWords(words.data, words.length / 2, entries.length / 2, entries.data,
                                                       codes.data)));
}

napi_value PackInside(const Call& call) {
  const napi_env env = call.env;
  const auto first = static_cast<uint32_t>(ReadCount(env, call[1], "first", UINT32_MAX));
  const auto above = static_cast<uint32_t>(ReadCount(env, call[2], "above", UINT32_MAX));
  const Words values = ReadWords(env, call[0], "values");
  const Words normal = ReadWords(env, call[3], "normal");
  const ArrayView facts = ReadFloat64Array(env, call[4], "facts");
  RequireRoom(env, normal.length, "normal", values.length);
  RequireRoom(env, facts.length, "facts", 3);
  NormalForm form{};
  const size_t outside = PackInside(values.data, values.length, first, above, normal.data, &form);
  auto* const to = static_cast<double*>(facts.data);
  to[0] = form.least;
  to[1] = form.most;
  to[2] = form.divisor;
  return Number(env, static_cast<double>(outside));
}

napi_value FindOthers(const Call& call) {
  const napi_env env = call.env;
  const auto first = static_cast<uint32_t>(ReadCount(env, call[2], "first", UINT32_MAX));
  const auto factor = static_cast<uint32_t>(ReadCount(env, call[3], "factor", UINT32_MAX));
  const Words values = ReadWords(env, call[0], "values");
  const Words normal = ReadWords(env, call[1], "normal");
  const Words positions = ReadWords(env, call[4], "positions");
  RequireRoom(env, normal.length, "normal", values.length);
  RequireRoom(env, positions.length, "positions", values.length);
  return Number(env, static_cast<double>(FindOthers(values.data, normal.data, values.length, first, factor,
                                                    positions.data)));
}

napi_value SpreadCodes(const Call& call) {
  const napi_env env = call.env;
  const auto null_code = static_cast<uint32_t>(ReadCount(env, call[2], "nullCode", UINT32_MAX));
  const Words codes = ReadWords(env, call[0], "codes");
  const ArrayView validity = ReadByteArray(env, call[1], "validity");
  const Words rows = ReadWords(env, call[3], "rows");
  RequireBits(env, validity, rows.length);
  if (!SpreadCodes(codes.data, codes.length, static_cast<const uint8_t*>(validity.data), null_code, rows.data,
                   rows.length))
    throw ArgumentError(env, "codes", "one for each row that is not null", std::to_string(codes.length));
  return Done(env, Outcome(), "spreadCodes");
}

napi_value PackPresent(const Call& call) {
  const napi_env env = call.env;
  const auto width = static_cast<size_t>(ReadCount(env, call[1], "width", 8));
  if (width == 0 || (width & (width - 1)) != 0) throw ArgumentError(env, "width", "1, 2, 4 or 8", FormatNumber(width));
  const BytesView items = ReadBytes(env, call[0], "items");
  const ArrayView validity = ReadByteArray(env, call[2], "validity");
  const BytesView to = ReadBytes(env, call[3], "to");
  const size_t count = items.byte_length / width;
  RequireBits(env, validity, count);
  const size_t most = to.byte_length / width;
  const size_t found =
      PackPresent(items.data, count, width, static_cast<const uint8_t*>(validity.data), to.data, most);
  return Number(env, static_cast<double>(found));
}

napi_value MapPresent(const Call& call) {
  const napi_env env = call.env;
  const auto count = static_cast<size_t>(ReadCount(env, call[1], "rows", UINT32_MAX));
  const bool has_codes = !IsNull(env, call[0]);
  const bool has_nulls = !IsNull(env, call[2]);
  ArrayView codes{};
  if (has_codes) {
    if (!ReadTypedArray(env, call[0], "codes", &codes) ||
        (codes.type != napi_uint16_array && codes.type != napi_uint32_array))
      throw ArgumentError(env, "codes", "a Uint16Array or a Uint32Array", Describe(env, call[0]));
    RequireRoom(env, codes.length, "codes", count);
  }
  ArrayView validity{};
  if (has_nulls) {
    validity = ReadByteArray(env, call[2], "validity");
    RequireBits(env, validity, count);
  }
  const Words ranks = ReadWords(env, call[3], "ranks");
  const Words to = ReadWords(env, call[4], "to");
  const auto* const bits = static_cast<const uint8_t*>(validity.data);
  const size_t found = codes.type == napi_uint16_array && has_codes
                           ? MapPresent(static_cast<const uint16_t*>(codes.data), count, has_nulls ? bits : nullptr,
                                        ranks.data, ranks.length, to.data, to.length)
                           : MapPresent(has_codes ? static_cast<const uint32_t*>(codes.data) : nullptr, count,
                                        has_nulls ? bits : nullptr, ranks.data, ranks.length, to.data, to.length);
  if (found == SIZE_MAX)
    throw ArgumentError(env, "codes", "codes below " + std::to_string(ranks.length), "a larger one");
  return Number(env, static_cast<double>(found));
}

napi_value ScatterCodes(const Call& call) {
  const napi_env env = call.env;
  const Words codes = ReadWords(env, call[0], "codes");
  const Words values = ReadWords(env, call[1], "values");
  const Words to = ReadWords(env, call[2], "to");
  if (values.length != codes.length)
    throw ArgumentError(env, "values", "as many as codes", std::to_string(values.length));
  if (!ScatterCodes(codes.data, values.data, codes.length, to.data, to.length))
    throw ArgumentError(env, "codes", "codes below " + std::to_string(to.length), "a larger one");
  return Done(env, Outcome(), "scatterCodes");
}

napi_value MapCodes(const Call& call) {
  const napi_env env = call.env;
  const Words codes = ReadWords(env, call[0], "codes");
  const Words ranks = ReadWords(env, call[1], "ranks");
  const Words to = ReadWords(env, call[2], "to");
  RequireRoom(env, to.length, "to", codes.length);
  if (!MapCodes(codes.data, codes.length, ranks.data, ranks.length, to.data))
    throw ArgumentError(env, "codes", "codes below " + std::to_string(ranks.length), "a larger one");
  return Done(env, Outcome(), "mapCodes");
}

}  // namespace colkit
