// What belongs to one JavaScript environment (the main thread or a worker): its running jobs and the way their results
// come back. No global state: a worker has its own.
//
// Lifetime: a job is made on the JavaScript thread, runs on the pool, and is settled and destroyed on the JavaScript
// thread again, through a thread-safe function. When the environment is torn down, the cleanup hook cancels the jobs
// and waits until none runs any more, so a kernel never writes into an output that is gone.
#ifndef COLKIT_NATIVE_ENVIRONMENT_H_
#define COLKIT_NATIVE_ENVIRONMENT_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings/napi_setup.h"
#include "platform/outcome.h"

namespace colkit {

class Environment {
 public:
  // Makes the environment's state and stores it as instance data.
  static void Create(napi_env env);
  static Environment& Of(napi_env env);

  // Runs `work` on the pool; the returned promise resolves with undefined or rejects with the error of the outcome.
  // `kept` are objects that must live until then; `operation` is a literal. `work` is destroyed on the pool thread,
  // before the promise settles.
  using Work = std::function<Outcome(const std::atomic<bool>& cancelled)>;
  napi_value Start(Work work, const std::vector<napi_value>& kept, const char* operation);

  // Bytes of pooled buffers handed out since the event loop last turned: their memory comes back only when it does,
  // however early they were collected.
  size_t pooled_this_turn() const { return pooled_this_turn_; }
  void CountPooled(size_t bytes);

  // Bytes of all buffers after the last collection that we asked for, or the fewest that were seen since: V8 takes off
  // what it freed a little later. `now` is today's number.
  uint64_t external_in_use(uint64_t now) { return external_in_use_ = std::min(external_in_use_, now); }
  void set_external_in_use(uint64_t bytes) { external_in_use_ = bytes; }

  // Bytes of buffers of results that V8 is not told of yet, and bytes that it is told of although nothing stands for
  // them: never fewer than the others, so that its count, of which it takes off what it collects, stays above zero.
  uint64_t untold() const { return untold_; }
  uint64_t ballast() const { return ballast_; }
  void set_untold(uint64_t bytes, uint64_t ballast) {
    untold_ = bytes;
    ballast_ = ballast;
  }

 private:
  struct Activity;
  struct Job;

  explicit Environment(napi_env env);
  void EnsureCompletion();
  static void RunJob(void* job);
  static void OnMessage(napi_env env, napi_value, void* self, void* job);
  static void OnCleanup(void* self);

  napi_env env_;
  napi_threadsafe_function completion_ = nullptr;
  size_t pending_ = 0;
  size_t pooled_this_turn_ = 0;
  uint64_t external_in_use_ = UINT64_MAX;
  uint64_t untold_ = 0;
  uint64_t ballast_ = 0;
  std::shared_ptr<Activity> activity_;
};

// Calls `body`, and turns what it throws into a rejected promise.
template <typename Body>
napi_value RejectOnThrow(napi_env env, Body body) {
  try {
    return body();
  } catch (const Napi::Error& error) {
    napi_deferred deferred;
    napi_value promise;
    if (napi_create_promise(env, &deferred, &promise) != napi_ok) throw;
    napi_reject_deferred(env, deferred, error.Value());
    return promise;
  }
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_ENVIRONMENT_H_
