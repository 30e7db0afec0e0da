// What writers ask of blocks and ranges of numbers while they size and write them: the arrays checked, the loops called
// here.
#include <vector>

#include "bindings/bindings.h"
#include "bindings/loops/words.h"
#include "encode/numbers/block_layouts.h"
#include "encode/numbers/outlier_range.h"

namespace colkit {
namespace {

constexpr uint64_t kMostBuckets = 16;
constexpr size_t kMostPlans = 1024;
constexpr size_t kPlanNumbers = 4;
constexpr uint64_t kMostPlanBits = 32;
constexpr uint64_t kMostHeader = 1u << 16;
constexpr uint64_t kMostLog2 = 31;

uint32_t SmallNumber(double number, uint32_t most) {
  return number >= 0 && number <= most ? static_cast<uint32_t>(number) : most;
}

std::vector<BlockPlan> ReadPlans(napi_env env, napi_value value) {
  const ArrayView view = ReadFloat64Array(env, value, "plans");
  const size_t count = view.length / kPlanNumbers;
  if (count == 0 || count > kMostPlans)
    throw ArgumentError(env, "plans", "1 to " + std::to_string(kMostPlans) + " plans", std::to_string(count));
  const auto* const numbers = static_cast<const double*>(view.data);
  std::vector<BlockPlan> plans(count);
  for (size_t i = 0; i < count; ++i) {
    const double* const plan = numbers + kPlanNumbers * i;
    plans[i] = {plan[0], SmallNumber(plan[1], kMostPlanBits), SmallNumber(plan[2], 15), SmallNumber(plan[3], 15)};
  }
  return plans;
}

}  // namespace

napi_value CheapestRange(const Call& call) {
  const napi_env env = call.env;
  const auto shift = static_cast<unsigned>(ReadCount(env, call[1], "shift", 31));
  const auto log2 = static_cast<unsigned>(ReadCount(env, call[2], "log2", kMostBuckets));
  const double full_bits = ReadNumber(env, call[3], "fullBits");
  const Words values = ReadWords(env, call[0], "values");
  const ArrayView logs = ReadFloat64Array(env, call[4], "logs");
  const Words range = ReadWords(env, call[5], "range");
  RequireRoom(env, range.length, "range", 2);
  if (logs.length < size_t{1} << log2)
    throw ArgumentError(env, "logs", "one for each number of buckets", std::to_string(logs.length));
  uint32_t from = 0;
  uint32_t to = 0;
  const OutlierAnswer answer = CheapestRange(
      {values.data, values.length, shift, log2, full_bits, static_cast<const double*>(logs.data)}, &from, &to);
  if (answer == OutlierAnswer::kBeyond)
    throw ArgumentError(env, "values", "values of " + std::to_string(size_t{1} << log2) + " buckets", "a larger one");
  range.data[0] = from;
  range.data[1] = to;
  napi_value found;
  Check(env, napi_get_boolean(env, answer == OutlierAnswer::kFound, &found));
  return found;
}

napi_value BlockLayouts(const Call& call) {
  const napi_env env = call.env;
  const auto log2 = static_cast<unsigned>(ReadCount(env, call[1], "log2", kMostLog2));
  const auto most_log2 = static_cast<unsigned>(ReadCount(env, call[2], "mostLog2", kMostLog2));
  const auto header = static_cast<size_t>(ReadCount(env, call[3], "header", kMostHeader));
  const Words values = ReadWords(env, call[0], "values");
  const std::vector<BlockPlan> plans = ReadPlans(env, call[4]);
  const Words least = ReadWords(env, call[5], "least");
  const Words most = ReadWords(env, call[6], "most");
  const ArrayView facts = ReadFloat64Array(env, call[7], "facts");
  if (values.length == 0) throw ArgumentError(env, "values", "one and more", "none");
  const size_t blocks = ((values.length - 1) >> log2) + 1;
  RequireRoom(env, least.length, "least", blocks);
  RequireRoom(env, most.length, "most", blocks);
  RequireRoom(env, facts.length, "facts", 6);
  BlockLayout layouts[2];
  BestLayouts({values.data, values.length, log2, most_log2, plans.data(), plans.size(), header}, least.data, most.data,
              &layouts[0], &layouts[1]);
  auto* to = static_cast<double*>(facts.data);
  for (const BlockLayout& layout : layouts) {
    *to++ = static_cast<double>(layout.byte_length);
    *to++ = layout.log2;
    *to++ = layout.one_plan ? 1 : 0;
  }
  return Done(env, Outcome(), "blockLayouts");
}

napi_value PackBlocks(const Call& call) {
  const napi_env env = call.env;
  const auto log2 = static_cast<unsigned>(ReadCount(env, call[1], "log2", kMostLog2));
  const Words values = ReadWords(env, call[0], "values");
  const Words references = ReadWords(env, call[2], "references");
  const Words plans = ReadWords(env, call[3], "plans");
  const Words words = ReadWords(env, call[4], "words");
  const size_t blocks = (values.length + (size_t{1} << log2) - 1) >> log2;
  RequireRoom(env, references.length, "references", blocks);
  RequireRoom(env, plans.length, "plans", blocks);
  const size_t used =
      PackBlocks(values.data, values.length, log2, references.data, plans.data, words.data, words.length);
  if (used > words.length)
    throw ArgumentError(env, "words", "room for all blocks", std::to_string(words.length), "ERR_OUT_BUFFER");
  return Number(env, static_cast<double>(used));
}

}  // namespace colkit
