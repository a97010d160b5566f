// The one way to run device code. A kernel is a trivially copyable struct; its fields are its arguments:
//
//   struct Double {
//     static constexpr uint32_t THREADS_MAX = 128;  // may be left out: 256
//     Fr* v; uint64_t n;
//     template <class Thread> ZKA_HD void operator()(Thread& thread) const {
//       const uint64_t i = thread.index();
//       if (i < n) v[i] = v[i].dbl();
//     }
//   };
//   launch(queue, over(n, 128), Double{v, n});
//
// What `thread` offers, T and what goes through a warp being trivially copyable:
//
//   thread() threads()         this thread's number in its block, and how many the block has
//   block() blocks()           the block's number in its row, and how many the row has
//   row()                      the block's row
//   index() count()            thread and threads of the row: block() * threads() + thread(), blocks() * threads()
//   lane() warp()              thread() % 32, thread() / 32
//   shared<T>(first_byte = 0)  the block's shared memory from there on, as T; aligned to 32 bytes, not cleared
//   require(holds, words)      where it does not hold, the kernel ends and the device fails for good
//   sync_block()               all threads of the block come here before any continues, and see what was written before
//   sync_warp()                the same of a warp
//   shuffle(v, lane)           the v of that lane of the warp; shuffle_xor, _up and _down take a distance, and those whose
//                              partner is outside the warp get their own v
//   ballot(p)                  a bit for each lane of the warp whose p is true
//   atomic_add(&x, v)          of uint32_t and uint64_t, in device or shared memory: adds, returns what was there
//   atomic_min(&x, v)          likewise
//
// All threads of a block come to each sync_block, and all lanes of a warp to each of its other meetings: none has
// returned before. Lanes of a warp run on their own between meetings. What one block writes, another sees in the next
// launch only, but for atomics.
//
// Compiled by nvcc it runs on a device; else emulated/ runs it here, when the queue is waited for, and says where these
// rules were broken.
#pragma once
#include <type_traits>

#include "gpu/device/queue.h"
#include "gpu/grid/shape.h"
#if defined(__CUDACC__)
#include "gpu/cuda/launch.h"
#else
#include "gpu/emulated/launch.h"
#endif

namespace zka::gpu {

// After what was launched on the queue before; nothing for a shape without blocks. Throws CANCELLED, POISONED.
template <class Kernel>
void launch(DeviceQueue& queue, const Shape& shape, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel> && threads_max<Kernel>() <= THREADS_MAX);
  check_shape(shape, threads_max<Kernel>());
  if (shape.blocks == 0 || shape.rows == 0) return;
  queue.cancel().check();
  queue.device().use();
  run_on(queue, shape, kernel);
}

}  // namespace zka::gpu
