#include "cpu/buffer/operations.h"

#include <atomic>
#include <cstring>
#include <string>

#include "cpu/buffer/loops.h"
#include "cpu/chunks.h"

namespace zka::cpu {
namespace {

template <class T>
class HostStorage : public Storage {
 public:
  HostStorage(Memory& memory, uint64_t n) : array_(memory, n) {}
  void* data() noexcept override { return array_.data(); }

 private:
  Array<T> array_;
};

class CpuBuffers : public BufferOperations {
 public:
  explicit CpuBuffers(Machine& machine) : machine_(machine) {}

  std::unique_ptr<Storage> allocate(size_t n) override {
    auto storage = std::make_unique<HostStorage<zka_fe>>(machine_.memory, n);
    if (n != 0) std::memset(storage->data(), 0, n * sizeof(zka_fe));
    return storage;
  }

  std::unique_ptr<Storage> allocate_host(size_t bytes) override {
    return std::make_unique<HostStorage<std::byte>>(machine_.memory, bytes);
  }

  void write(Queue& queue, zka_field field, zka_fe* to, const zka_fe* from, size_t n, zka_form form) override {
    const Job job = machine_.job(queue);
    std::atomic<size_t> first_bad = n;
    in_chunks(job, n, [&](size_t begin, size_t count) {
      const size_t good = ZKA_BY_ISA(job.isa, import_elements(field, to + begin, from + begin, count, form));
      if (good == count) return;
      size_t first = first_bad;
      while (begin + good < first && !first_bad.compare_exchange_weak(first, begin + good)) {
      }
    });
    if (first_bad < n) {
      throw Failure(ZKA_E_NON_CANONICAL, "element " + std::to_string(first_bad) + " is not below the modulus");
    }
  }

  void read(Queue& queue, zka_field field, const zka_fe* from, zka_fe* to, size_t n, zka_form form) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, export_elements(field, from + begin, to + begin, count, form));
    });
  }

  void copy(Queue&, zka_fe* to, const zka_fe* from, size_t n) override {
    if (n != 0) std::memmove(to, from, n * sizeof(zka_fe));
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<BufferOperations> buffer_operations(Machine& machine) {
  return std::make_unique<CpuBuffers>(machine);
}

}  // namespace zka::cpu
