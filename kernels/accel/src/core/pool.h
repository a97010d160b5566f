// A fixed number of threads that work on the parts of one loop at a time; the caller is one of them.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace zka {

class Pool {
 public:
  // Throws Failure OOM_HOST or bad_alloc where threads cannot be started.
  explicit Pool(unsigned threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const noexcept { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls work(part) once for each part below `parts`, in any order, side by side; returns when all are done. What a part
  // throws is thrown here, and parts not yet begun are left out. One loop at a time: others wait. Not to be nested.
  void parallel(size_t parts, const std::function<void(size_t)>& work);

  // parallel over [0, n) in pieces of about equal length, at least `grain` long: work(begin, end).
  void over(size_t n, size_t grain, const std::function<void(size_t, size_t)>& work);

 private:
  void stop() noexcept;
  void serve();
  void run_parts();

  std::mutex one_loop_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  const std::function<void(size_t)>* work_ = nullptr;
  size_t parts_ = 0;
  size_t next_ = 0;
  unsigned busy_ = 0;
  uint64_t loop_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> workers_;
};

}  // namespace zka
