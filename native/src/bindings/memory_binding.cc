// allocatePooled, the pool's settings, the number of workers, and what the processor can do.
//
// Node runs the finalizer of an external buffer only when the event loop turns, however early V8 collected it. In a
// synchronous loop that drops its results nothing would come back, so after a budget in one turn the caller takes V8's
// own memory, which V8 frees in the middle of a loop; and so do results above the budget, of which the pool would keep
// none.
#include "bindings/bindings.h"

#include <algorithm>
#include <cstdio>

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "bindings/args.h"
#include "platform/block_pool.h"
#include "platform/cpu.h"
#include "platform/system_memory.h"
#include "bindings/environment.h"
#include "bindings/external_buffer.h"
#include "map/mapping.h"
#include "platform/thread_pool.h"

namespace colkit {
namespace {

constexpr uint64_t kSmallestPooled = 64 << 10;  // below that an ordinary buffer is as quick
constexpr uint64_t kMostOrdinary = 1 << 20;     // longer ones are pooled, or V8 has to know of them
constexpr uint64_t kMostPerTurn = uint64_t{128} << 20;
constexpr uint64_t kMostUntold = uint64_t{512} << 20;
constexpr uint64_t kAlwaysMapped = uint64_t{32} << 20;  // from here on glibc gives memory back when it is freed
constexpr int64_t kBeyondAnyLimit = int64_t{1} << 46;

// The memory that this process may use: the machine's, or its control group's where that is less.
uint64_t AvailableMemory() {
  uint64_t bytes = uint64_t{8} << 30;
#if defined(_SC_PHYS_PAGES)
  const long pages = sysconf(_SC_PHYS_PAGES);
  if (pages > 0) bytes = static_cast<uint64_t>(pages) * PageBytes();
#endif
#if defined(__linux__)
  if (std::FILE* file = std::fopen("/sys/fs/cgroup/memory.max", "r")) {
    unsigned long long limit;
    // it reads "max" where there is no limit
    if (std::fscanf(file, "%llu", &limit) == 1) bytes = std::min<uint64_t>(bytes, limit);
    std::fclose(file);
  }
#endif
  return bytes;
}

uint64_t TurnBudget() {
  static const uint64_t budget = std::min(kMostPerTurn, AvailableMemory() / 8);
  return budget;
}

uint64_t MostUntold() {
  static const uint64_t most = std::min(kMostUntold, AvailableMemory() / 8);
  return most;
}

// What V8 counts of memory outside of its heap, changed by some bytes.
uint64_t Told(napi_env env, int64_t change) {
  int64_t external = 0;
  Check(env, napi_adjust_external_memory(env, change, &external));
  return static_cast<uint64_t>(std::max<int64_t>(external, 0));
}

// V8 begins to mark its heap for each forty megabytes of buffers where that is small, and marking costs as much as
// decoding what is in them, while those that live for one call are gone with the young objects. So pooled buffers, and
// ordinary ones of results, are taken off its count; after half a gigabyte of them it is told of all, and marks once.
// It takes off itself what it collects, of those too that it was not told of: as many bytes that are none stay in its
// count for that (`ballast`). To add to these makes it mark too: they are doubled when there are too few.
void TellLater(napi_env env, uint64_t bytes) {
  Environment& environment = Environment::Of(env);
  const uint64_t before = environment.untold();
  const uint64_t untold = before + bytes > MostUntold() ? bytes : before + bytes;
  const uint64_t ballast = environment.ballast();
  const uint64_t needed = untold <= ballast ? ballast : std::max(untold, std::min(2 * ballast, MostUntold()));
  environment.set_untold(untold, needed);
  Told(env, static_cast<int64_t>(needed - ballast) + static_cast<int64_t>(before) - static_cast<int64_t>(untold));
}

// V8 notices early that buffers add up, but then it marks a little at each of the next ones: of 1 GB results it holds
// four. So where more than two budgets (half as much as is in use, if that is more) came since the last collection, it
// is told of more memory than it stands, for a moment, which makes it collect at once.
void CollectDropped(napi_env env, uint64_t bytes) {
  Environment& environment = Environment::Of(env);
  // Without what is none, and with what it was not told of.
  const auto external_of = [&environment](uint64_t told) {
    const uint64_t all = told + environment.untold();
    return all - std::min(all, environment.ballast());
  };
  const uint64_t external = external_of(Told(env, 0));
  const uint64_t in_use = environment.external_in_use(external);
  if (external + bytes <= in_use + std::max(3 * TurnBudget() / 2, in_use / 2)) return;
  Told(env, kBeyondAnyLimit + static_cast<int64_t>(environment.untold()));
  environment.set_untold(0, environment.ballast());
  environment.set_external_in_use(external_of(Told(env, -kBeyondAnyLimit)));
}

// Through the constructor: where memory is short it throws, while Node-API's own function ends the process.
napi_value OrdinaryBuffer(napi_env env, uint64_t bytes) {
  const Napi::Function constructor = Napi::Env(env).Global().Get("ArrayBuffer").As<Napi::Function>();
  return constructor.New({Napi::Number::New(env, static_cast<double>(bytes))});
}

// V8's own memory, not zeroed, with huge pages where the system gives them. Through Buffer, as its caller would: where
// memory is short that throws, while Node-API's own function ends the process.
napi_value AdvisedBuffer(napi_env env, uint64_t bytes) {
  try {
    const Napi::Object constructor = Napi::Env(env).Global().Get("Buffer").As<Napi::Object>();
    const Napi::Value made = constructor.Get("allocUnsafeSlow")
                                 .As<Napi::Function>()
                                 .Call(constructor, {Napi::Number::New(env, static_cast<double>(bytes))});
    if (made.IsTypedArray()) {
      Napi::ArrayBuffer buffer = made.As<Napi::TypedArray>().ArrayBuffer();
      if (buffer.ByteLength() == bytes) {
        AdviseHugePages(buffer.Data(), buffer.ByteLength());
        return buffer;
      }
    }
  } catch (const Napi::Error&) {
    // Then without it.
  }
  return OrdinaryBuffer(env, bytes);
}

class PooledMemory : public ExternalMemory {
 public:
  PooledMemory(const Block& block, size_t bytes) : block_(block), bytes_(bytes) {}
  ~PooledMemory() override { BlockPool::Instance().Return(block_); }
  void* data() const override { return block_.data; }
  size_t bytes() const override { return bytes_; }

 private:
  const Block block_;
  const size_t bytes_;
};

}  // namespace

napi_value AllocatePooled(const Call& call) {
  const uint64_t bytes = ReadCount(call.env, call[0], "byteLength", kLargestExact);
  Environment& environment = Environment::Of(call.env);
  CollectDropped(call.env, bytes);
  if (environment.pooled_this_turn() + bytes > TurnBudget())
    return bytes < kAlwaysMapped ? Napi::Env(call.env).Null() : AdvisedBuffer(call.env, bytes);
  if (bytes < kSmallestPooled) return OrdinaryBuffer(call.env, bytes);
  const Block block = BlockPool::Instance().Take(static_cast<size_t>(bytes));
  if (block.data == nullptr) return OrdinaryBuffer(call.env, bytes);
  napi_value buffer = nullptr;
  const ExternalResult result =
      MakeExternalBuffer(call.env, std::make_unique<PooledMemory>(block, static_cast<size_t>(bytes)), &buffer);
  if (result != ExternalResult::kMade) return OrdinaryBuffer(call.env, bytes);
  environment.CountPooled(static_cast<size_t>(bytes));
  TellLater(call.env, bytes);
  return buffer;
}

napi_value TellOrdinary(const Call& call) {
  const uint64_t bytes = ReadCount(call.env, call[0], "byteLength", kMostOrdinary);
  CollectDropped(call.env, bytes);
  TellLater(call.env, bytes);
  return Napi::Env(call.env).Undefined();
}

napi_value PoolStats(const Call& call) {
  const PoolStatistics statistics = BlockPool::Instance().Statistics();
  Napi::Object stats = Napi::Object::New(call.env);
  stats.Set("idleBytes", static_cast<double>(statistics.idle_bytes));
  stats.Set("liveBytes", static_cast<double>(statistics.live_bytes));
  stats.Set("limitBytes", static_cast<double>(statistics.limit_bytes));
  return stats;
}

napi_value SetPoolLimit(const Call& call) {
  BlockPool::Instance().SetLimit(static_cast<size_t>(ReadCount(call.env, call[0], "byteLength", kLargestExact)));
  return Napi::Env(call.env).Undefined();
}

napi_value SetMaxWorkers(const Call& call) {
  const uint64_t count = ReadCount(call.env, call[0], "count", 4096);
  if (count == 0) throw ArgumentError(call.env, "count", "an integer in [1, 4096]", "0");
  ThreadPool::Instance().SetMaxWorkers(static_cast<unsigned>(count));
  return Napi::Env(call.env).Undefined();
}

napi_value MaxWorkers(const Call& call) { return Napi::Number::New(call.env, ThreadPool::Instance().max_workers()); }

napi_value CpuFeatures(const Call& call) {
  Napi::Object features = Napi::Object::New(call.env);
  features.Set("kernels", FamilyName(SupportedFamily()));
  features.Set("pageBytes", static_cast<double>(PageBytes()));
  features.Set("physicalCores", PhysicalCores());
  return features;
}

}  // namespace colkit
