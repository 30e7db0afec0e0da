// See thread_pool.h.
#include "platform/thread_pool.h"

#include <algorithm>
#include <memory>
#include <system_error>
#include <thread>

#if !defined(_WIN32)
#include <csignal>
#include <pthread.h>
#endif

#include "platform/cpu.h"
#include "platform/system_memory.h"

namespace colkit {
namespace {

constexpr unsigned kMostThreads = 256;
constexpr unsigned kDefaultMostWorkers = 16;  // gathers are bound by memory: more threads wait for the same channels

// One parallel loop. The caller and the helpers claim pieces; whoever ends the last one wakes the caller. Helpers that
// come late find nothing left to claim and never touch `context`, which is gone by then; the loop itself lives until
// the last of them has looked.
struct Loop {
  size_t pieces;
  void (*run)(void*, size_t);
  void* context;
  std::atomic<size_t> next{0};
  std::atomic<size_t> ended{0};
  std::mutex mutex;
  std::condition_variable all_ended;

  void Work() {
    for (;;) {
      const size_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= pieces) return;
      run(context, piece);
      if (ended.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces) {
        std::lock_guard<std::mutex> lock(mutex);
        all_ended.notify_all();
      }
    }
  }

  void Wait() {
    std::unique_lock<std::mutex> lock(mutex);
    all_ended.wait(lock, [this] { return ended.load(std::memory_order_acquire) == pieces; });
  }
};

void HelpLoop(void* ticket) {
  std::unique_ptr<std::shared_ptr<Loop>> loop(static_cast<std::shared_ptr<Loop>*>(ticket));
  (*loop)->Work();
}

}  // namespace

ThreadPool& ThreadPool::Instance() {
  static ThreadPool* const pool = new ThreadPool();
  return *pool;
}

ThreadPool::ThreadPool() : max_workers_(std::min(PhysicalCores(), kDefaultMostWorkers)) { KeepLibraryLoaded(); }

bool ThreadPool::Submit(void (*job)(void*), void* context) {
  std::lock_guard<std::mutex> lock(mutex_);
  EnsureThreads(max_workers());
  if (threads_ == 0) return false;
  KeepOffCaller();
  queue_.push_back({job, context});
  wake_.notify_one();
  return true;
}

void ThreadPool::ParallelFor(size_t pieces, unsigned threads, void (*run)(void*, size_t), void* context) {
  if (threads > pieces) threads = static_cast<unsigned>(pieces);
  if (threads <= 1) {
    for (size_t piece = 0; piece < pieces; ++piece) run(context, piece);
    return;
  }
  auto loop = std::make_shared<Loop>();
  loop->pieces = pieces;
  loop->run = run;
  loop->context = context;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    EnsureThreads(threads);
    KeepOffCaller();
    const unsigned helpers = std::min(threads - 1, threads_);
    for (unsigned i = 0; i < helpers; ++i) {
      queue_.push_front({HelpLoop, new std::shared_ptr<Loop>(loop)});  // before waiting jobs: what has begun ends first
      wake_.notify_one();
    }
  }
  loop->Work();
  loop->Wait();
}

void ThreadPool::EnsureThreads(unsigned count) {
  count = std::min(count, kMostThreads);
  members_.reserve(count);
  while (threads_ < count) {
#if !defined(_WIN32)
    // Signals meant for the process go to the application's threads; faults of a thread's own are never blocked.
    sigset_t all, before;
    sigfillset(&all);
    for (int fault : {SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before);
#endif
    bool started = true;
    try {
      std::thread([this] { Serve(); }).detach();
      ++threads_;
    } catch (const std::system_error&) {
      started = false;
    }
#if !defined(_WIN32)
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
#endif
    if (!started) return;
  }
}

// Of a virtual machine whose other cores sleep, Linux may wake a thread on the core of the one that wakes it, behind
// it, and leave it there for the first calls after a pause, which then have no more than one core.
void ThreadPool::KeepOffCaller() {
  const int core = CurrentCore();
  if (core < 0) return;
  const int caller = CurrentThread();
  for (Member& member : members_) {
    if (member.core == core || member.thread == caller) continue;
    KeepOffCore(member.thread, core);
    member.core = core;
  }
}

void ThreadPool::Serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  const size_t self = members_.size();
  members_.push_back({CurrentThread(), -1});
  for (;;) {
    wake_.wait(lock, [this] { return !queue_.empty(); });
    const Work work = queue_.front();
    queue_.pop_front();
    const bool is_kept_off = members_[self].core >= 0;
    members_[self].core = -1;
    lock.unlock();
    // It runs elsewhere by now, and may go where it likes.
    if (is_kept_off) KeepOffCore(CurrentThread(), -1);
    work.run(work.context);
    lock.lock();
  }
}

}  // namespace colkit
