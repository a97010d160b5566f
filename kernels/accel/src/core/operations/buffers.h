// Memory of a backend, and the way there and back.
#pragma once
#include <cstddef>
#include <memory>

#include "core/operations/queue.h"
#include "zkaccel/buffer.h"

namespace zka {

// A piece of memory, freed with it.
class Storage {
 public:
  virtual ~Storage() = default;
  virtual void* data() noexcept = 0;
};

class BufferOperations {
 public:
  virtual ~BufferOperations() = default;

  // Elements, all zero.
  virtual std::unique_ptr<Storage> allocate(size_t n) = 0;
  // Memory of the host that the device reads directly.
  virtual std::unique_ptr<Storage> allocate_host(size_t bytes) = 0;
  // From the caller's memory. Throws NON_CANONICAL with the index.
  virtual void write(Queue& queue, zka_field field, zka_fe* to, const zka_fe* from, size_t n, zka_form form) = 0;
  // Into the caller's memory.
  virtual void read(Queue& queue, zka_field field, const zka_fe* from, zka_fe* to, size_t n, zka_form form) = 0;
  // The ranges may overlap.
  virtual void copy(Queue& queue, zka_fe* to, const zka_fe* from, size_t n) = 0;
};

}  // namespace zka
