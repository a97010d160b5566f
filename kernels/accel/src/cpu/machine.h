// What the operations of the CPU backend share.
#pragma once
#include "core/operations/queue.h"

namespace zka::cpu {

struct Machine {
  Memory& memory;
  Pool pool;
  Isa isa;

  Job job(const Queue& queue) { return {memory, pool, queue.cancel(), isa}; }
};

}  // namespace zka::cpu
