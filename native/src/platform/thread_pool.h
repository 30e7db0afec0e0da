// Our own threads, process-wide: a parallel loop whose caller works too, and jobs that run without any caller. Threads
// start when they are first needed and are never joined: the pool is leaked, so that no destructor at process exit
// waits for a kernel.
#ifndef COLKIT_NATIVE_THREAD_POOL_H_
#define COLKIT_NATIVE_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

namespace colkit {

class ThreadPool {
 public:
  static ThreadPool& Instance();

  // Runs `job(context)` on a pool thread, in the order of submission. False where not one thread can be started.
  bool Submit(void (*job)(void*), void* context);

  // Calls `run(context, piece)` once for each piece in [0, pieces), in ascending order of start, on at most `threads`
  // threads, the calling one among them. Returns when all have ended. Uses fewer threads where no more can be had.
  // `run` must not throw.
  void ParallelFor(size_t pieces, unsigned threads, void (*run)(void*, size_t), void* context);

  // The same for what can be called, on as many threads as the process-wide setting says.
  template <typename Run>
  void ParallelFor(size_t pieces, const Run& run) {
    ParallelFor(
        pieces, max_workers(), [](void* context, size_t piece) { (*static_cast<const Run*>(context))(piece); },
        const_cast<Run*>(&run));
  }

  // The process-wide setting: most threads of one gather.
  void SetMaxWorkers(unsigned count) { max_workers_.store(count); }
  unsigned max_workers() const { return max_workers_.load(); }

 private:
  struct Work {
    void (*run)(void*);
    void* context;
  };

  // A thread of the pool, and the core that it is not to wake on; -1 for none.
  struct Member {
    int thread;
    int core;
  };

  ThreadPool();
  void EnsureThreads(unsigned count);
  void KeepOffCaller();
  void Serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  std::vector<Member> members_;
  unsigned threads_ = 0;
  std::atomic<unsigned> max_workers_;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_THREAD_POOL_H_
