// What writers ask while they size ENTROPY: the arrays checked, the loops called here.
#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "encode/numbers/entropy_bins.h"

namespace colkit {
namespace {

Buckets ReadBuckets(napi_env env, napi_value counts, unsigned shift) {
  const Words words = ReadWords(env, counts, "counts");
  if (words.length > (uint64_t{1} << 32) >> shift)
    throw ArgumentError(env, "counts", "buckets of numbers below 2^32", std::to_string(words.length));
  return {words.data, words.length, shift};
}

Logs ReadLogs(napi_env env, napi_value value) {
  const ArrayView logs = ReadFloat64Array(env, value, "logs");
  return {static_cast<const double*>(logs.data), logs.length};
}

CodedBins ReadBins(napi_env env, napi_value lows, unsigned shift) {
  const Words words = ReadWords(env, lows, "lows");
  if (words.length == 0 || words.length > kEntropyOne)
    throw ArgumentError(env, "lows", "1 to " + std::to_string(kEntropyOne) + " bins", std::to_string(words.length));
  return {words.data, words.length, shift};
}

}  // namespace

napi_value EntropyBits(const Call& call) {
  const napi_env env = call.env;
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const Logs logs = ReadLogs(env, call[2]);
  const double bits = EntropyBits(ReadBuckets(env, call[0], shift), logs);
  if (bits < 0) throw ArgumentError(env, "logs", "one for the sum of all counts", std::to_string(logs.count));
  return Number(env, bits);
}

napi_value JoinBuckets(const Call& call) {
  const napi_env env = call.env;
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const auto most = static_cast<size_t>(ReadCount(env, call[2], "most", kEntropyOne));
  if (most == 0) throw ArgumentError(env, "most", "1 and more", "0");
  const Buckets buckets = ReadBuckets(env, call[0], shift);
  const Logs logs = ReadLogs(env, call[3]);
  const Words lows = ReadWords(env, call[4], "lows");
  const Words widths = ReadWords(env, call[5], "widths");
  const Words weights = ReadWords(env, call[6], "weights");
  const ArrayView facts = ReadFloat64Array(env, call[7], "facts");
  const size_t room = 2 * most + 2;
  RequireRoom(env, lows.length, "lows", room);
  RequireRoom(env, widths.length, "widths", room);
  RequireRoom(env, weights.length, "weights", room);
  RequireRoom(env, facts.length, "facts", 1);
  double bits = 0;
  const size_t bins = JoinBuckets(buckets, most, logs, {lows.data, widths.data, weights.data, room}, &bits);
  if (bins == 0) throw ArgumentError(env, "logs", "one for the sum of all counts", std::to_string(logs.count));
  static_cast<double*>(facts.data)[0] = bits;
  return Number(env, static_cast<double>(bins));
}

napi_value CodeBins(const Call& call) {
  const napi_env env = call.env;
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const Words values = ReadWords(env, call[0], "values");
  const CodedBins bins = ReadBins(env, call[2], shift);
  const Words frequencies = ReadWords(env, call[3], "frequencies");
  RequireRoom(env, frequencies.length, "frequencies", bins.count);
  ArrayView stream;
  if (!ReadTypedArray(env, call[4], "stream", &stream) || stream.type != napi_uint16_array)
    throw ArgumentError(env, "stream", "a Uint16Array", Describe(env, call[4]));
  const Words states = ReadWords(env, call[5], "states");
  RequireRoom(env, stream.length, "stream", values.length);
  RequireRoom(env, states.length, "states", kEntropyLanes);
  const size_t written = CodeBins(values.data, values.length, bins, frequencies.data,
                                  static_cast<uint16_t*>(stream.data), states.data);
  if (written == SIZE_MAX)
    throw ArgumentError(env, "frequencies", "1 and more, " + std::to_string(kEntropyOne) + " together", "others");
  return Number(env, static_cast<double>(written));
}

napi_value PackBinOffsets(const Call& call) {
  const napi_env env = call.env;
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const Words values = ReadWords(env, call[0], "values");
  const CodedBins bins = ReadBins(env, call[2], shift);
  const Words widths = ReadWords(env, call[3], "widths");
  const Words words = ReadWords(env, call[4], "words");
  RequireRoom(env, widths.length, "widths", bins.count);
  if (!PackBinOffsets(values.data, values.length, bins, widths.data, words.data, words.length))
    throw ArgumentError(env, "words", "room for all offsets", std::to_string(words.length), "ERR_OUT_BUFFER");
  return Done(env, Outcome(), "packBinOffsets");
}

}  // namespace colkit
