// See environment.h.
#include "bindings/environment.h"

#include "bindings/args.h"
#include "platform/thread_pool.h"

namespace colkit {

// Shared with the jobs, so that a pool thread that has just said it is done touches nothing of an environment that is
// gone.
struct Environment::Activity {
  std::atomic<bool> cancelled{false};
  std::mutex mutex;
  std::condition_variable none_runs;
  size_t running = 0;
};

struct Environment::Job {
  Work work;
  const char* operation;
  napi_threadsafe_function completion;
  std::shared_ptr<Activity> activity;
  napi_deferred deferred = nullptr;
  std::vector<napi_ref> kept;
  Outcome outcome;
};

Environment::Environment(napi_env env) : env_(env), activity_(std::make_shared<Activity>()) {}

void Environment::Create(napi_env env) {
  std::unique_ptr<Environment> state(new Environment(env));
  Check(env,
        napi_set_instance_data(
            env, state.get(), [](napi_env, void* data, void*) { delete static_cast<Environment*>(data); }, nullptr));
  state.release();
}

Environment& Environment::Of(napi_env env) {
  void* data = nullptr;
  Check(env, napi_get_instance_data(env, &data));
  return *static_cast<Environment*>(data);
}

void Environment::EnsureCompletion() {
  if (completion_ != nullptr) return;
  napi_value name;
  Check(env_, napi_create_string_utf8(env_, "colkit", NAPI_AUTO_LENGTH, &name));
  Check(env_, napi_create_threadsafe_function(env_, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, OnMessage,
                                              &completion_));
  Check(env_, napi_unref_threadsafe_function(env_, completion_));
  // Hooks run last in, first out: ours comes before the one that closes the thread-safe function.
  Check(env_, napi_add_env_cleanup_hook(env_, OnCleanup, this));
}

napi_value Environment::Start(Work work, const std::vector<napi_value>& kept, const char* operation) {
  EnsureCompletion();
  std::unique_ptr<Job> job(new Job());
  job->work = std::move(work);
  job->operation = operation;
  job->completion = completion_;
  job->activity = activity_;
  napi_value promise;
  Check(env_, napi_create_promise(env_, &job->deferred, &promise));
  for (const napi_value value : kept) {
    napi_ref reference;
    Check(env_, napi_create_reference(env_, value, 1, &reference));
    job->kept.push_back(reference);
  }
  {
    std::lock_guard<std::mutex> lock(activity_->mutex);
    ++activity_->running;
  }
  if (!ThreadPool::Instance().Submit(RunJob, job.get())) {
    std::lock_guard<std::mutex> lock(activity_->mutex);
    --activity_->running;
    throw CodedError(env_, "ERR_LIMIT", std::string(operation) + ": no thread could be started");
  }
  job.release();  // OnMessage destroys it
  if (pending_++ == 0) napi_ref_threadsafe_function(env_, completion_);
  return promise;
}

void Environment::RunJob(void* data) {
  auto* job = static_cast<Job*>(data);
  const std::shared_ptr<Activity> activity = job->activity;
  if (activity->cancelled.load()) {
    job->outcome.status = Status::kCancelled;
  } else {
    job->outcome = job->work(activity->cancelled);
  }
  job->work = nullptr;  // lets go of the mapping here: unmapping much memory takes a while
  const bool queued = napi_call_threadsafe_function(job->completion, job, napi_tsfn_nonblocking) == napi_ok;
  if (!queued) delete job;
  std::lock_guard<std::mutex> lock(activity->mutex);
  if (--activity->running == 0) activity->none_runs.notify_all();
}

// Also called with a null `env` for what is still queued when the environment goes.
void Environment::OnMessage(napi_env env, napi_value, void* self, void* data) {
  auto* environment = static_cast<Environment*>(self);
  std::unique_ptr<Job> job(static_cast<Job*>(data));
  if (env == nullptr) return;
  if (job == nullptr) {
    environment->pooled_this_turn_ = 0;
    return;
  }
  if (--environment->pending_ == 0) napi_unref_threadsafe_function(env, environment->completion_);
  for (const napi_ref reference : job->kept) napi_delete_reference(env, reference);
  try {
    if (job->outcome.ok()) {
      napi_value undefined;
      Check(env, napi_get_undefined(env, &undefined));
      napi_resolve_deferred(env, job->deferred, undefined);
    } else {
      napi_reject_deferred(env, job->deferred, OutcomeError(env, job->outcome, job->operation).Value());
    }
  } catch (const Napi::Error&) {
    // A worker that is being terminated runs no JavaScript any more: nobody waits for the promise.
  }
}

void Environment::OnCleanup(void* self) {
  const std::shared_ptr<Activity> activity = static_cast<Environment*>(self)->activity_;
  activity->cancelled.store(true);
  std::unique_lock<std::mutex> lock(activity->mutex);
  activity->none_runs.wait(lock, [&activity] { return activity->running == 0; });
}

void Environment::CountPooled(size_t bytes) {
  if (pooled_this_turn_ == 0) {
    EnsureCompletion();
    // A message without a job: it comes when the loop turns.
    if (napi_call_threadsafe_function(completion_, nullptr, napi_tsfn_nonblocking) != napi_ok) return;
  }
  pooled_this_turn_ += bytes;
}

}  // namespace colkit
