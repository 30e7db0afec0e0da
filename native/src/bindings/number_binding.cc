// selectWithin, sumByCode and spreadTexts: arrays checked, the loop called here. They run on the calling thread.
#include "bindings/args.h"
#include "bindings/bindings.h"
#include "copy/spread_texts.h"
#include "pages/number_kernels.h"

namespace colkit {
namespace {

const uint32_t* ReadUint32Array(napi_env env, napi_value value, const char* name, size_t* length) {
  ArrayView view;
  if (!ReadTypedArray(env, value, name, &view) || view.type != napi_uint32_array)
    throw ArgumentError(env, name, "a Uint32Array", Describe(env, value));
  *length = view.length;
  return static_cast<const uint32_t*>(view.data);
}

napi_value Number(napi_env env, double value) {
  napi_value number;
  Check(env, napi_create_double(env, value, &number));
  return number;
}

}  // namespace

napi_value SelectWithin(const Call& call) {
  const napi_env env = call.env;
  size_t count;
  size_t room;
  const uint32_t* numbers = ReadUint32Array(env, call[0], "numbers", &count);
  const auto first = static_cast<uint32_t>(ReadCount(env, call[1], "first", UINT32_MAX));
  const auto above = static_cast<uint32_t>(ReadCount(env, call[2], "above", UINT32_MAX));
  auto* indices = const_cast<uint32_t*>(ReadUint32Array(env, call[3], "indices", &room));
  if (room < count)
    throw ArgumentError(env, "indices", "room for " + std::to_string(count) + " numbers", std::to_string(room),
                        "ERR_OUT_BUFFER");
  return Number(env, static_cast<double>(SelectWithin(numbers, count, first, above, indices)));
}

napi_value SumByCode(const Call& call) {
  const napi_env env = call.env;
  size_t count;
  size_t code_count;
  const uint32_t* numbers = ReadUint32Array(env, call[0], "numbers", &count);
  const uint32_t* codes = ReadUint32Array(env, call[1], "codes", &code_count);
  const ArrayView sums = ReadFloat64Array(env, call[2], "sums");
  const ArrayView counts = ReadFloat64Array(env, call[3], "counts");
  if (code_count != count || count > kMaxPageRows)
    throw ArgumentError(env, "codes", "as many as numbers, at most " + std::to_string(kMaxPageRows),
                        std::to_string(code_count));
  if (sums.length != counts.length || sums.length > kMostSumCodes) {
    throw ArgumentError(env, "sums", "as many as counts, at most " + std::to_string(kMostSumCodes),
                        std::to_string(sums.length));
  }
  const bool legal =
      SumByCode(numbers, codes, count, sums.length, static_cast<double*>(sums.data), static_cast<double*>(counts.data));
  if (!legal) throw ArgumentError(env, "codes", "codes below " + std::to_string(sums.length), "a larger one");
  return Done(env, Outcome(), "sumByCode");
}

napi_value SpreadTexts(const Call& call) {
  const napi_env env = call.env;
  const auto start = static_cast<uint32_t>(ReadCount(env, call[1], "start", UINT32_MAX));
  const auto at = static_cast<uint32_t>(ReadCount(env, call[5], "at", UINT32_MAX));
  size_t text_count;
  size_t count;
  size_t room;
  const BytesView bytes = ReadBytes(env, call[0], "bytes");
  const uint32_t* ends = ReadUint32Array(env, call[2], "ends", &text_count);
  const uint32_t* codes = ReadUint32Array(env, call[3], "codes", &count);
  const BytesView out = ReadBytes(env, call[4], "out");
  auto* out_ends = const_cast<uint32_t*>(ReadUint32Array(env, call[6], "outEnds", &room));
  if (room < count)
    throw ArgumentError(env, "outEnds", "room for " + std::to_string(count) + " numbers", std::to_string(room),
                        "ERR_OUT_BUFFER");
  const TextTable texts = {bytes.data, bytes.byte_length, start, ends, text_count};
  const uint64_t end = SpreadTexts(texts, codes, count, out.data, out.byte_length, at, out_ends);
  if (end == kBadTexts)
    throw ArgumentError(env, "codes", "codes of texts that lie in the bytes, of less than 4 GiB together", "others");
  return Number(env, static_cast<double>(end));
}

}  // namespace colkit
