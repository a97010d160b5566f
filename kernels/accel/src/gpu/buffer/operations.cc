#include "gpu/buffer/operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "gpu/device/array.h"
#include "gpu/elements.h"
#include "gpu/grid/launch.h"

namespace zka::gpu {
namespace {

// What came from the host, in Montgomery form, and the first of it that is not below the modulus.
template <class F>
struct ImportElements {
  F* elements;
  uint64_t n;
  bool canonical;
  uint64_t* first_bad;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= n) return;
    const F value = elements[i];
    if (!value.is_below_modulus()) {
      thread.atomic_min(first_bad, i);
      elements[i] = F::zero();
    } else if (canonical) {
      elements[i] = value.from_canonical().canonical();
    }
  }
};

// The values themselves.
template <class F>
struct ExportElements {
  const F* elements;
  uint64_t n;
  F* out;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) out[i] = elements[i].to_canonical();
  }
};

// Elements that are converted at once on their way out: what the scratch for it holds.
constexpr size_t PIECE = size_t{1} << 18;

class DeviceStorage : public Storage {
 public:
  DeviceStorage(Device& device, size_t n) : array_(device, n) {
    const Cancel never;
    DeviceQueue queue(device, never);
    queue.clear(array_.data(), n * sizeof(zka_fe));
    queue.sync();
  }
  void* data() noexcept override { return array_.data(); }

 private:
  DeviceArray<zka_fe> array_;
};

class PinnedStorage : public Storage {
 public:
  PinnedStorage(Machine& machine, size_t bytes) : machine_(machine), bytes_(Memory::counted(bytes, 1)) {
    data_ = machine.memory.allocate_from(bytes_, [this] { return machine_.device.allocate_host(bytes_); });
  }
  ~PinnedStorage() override {
    machine_.device.deallocate_host(data_);
    machine_.memory.released(bytes_);
  }
  void* data() noexcept override { return data_; }

 private:
  Machine& machine_;
  uint64_t bytes_;
  void* data_;
};

class GpuBuffers : public BufferOperations {
 public:
  explicit GpuBuffers(Machine& machine) : machine_(machine) {}

  std::unique_ptr<Storage> allocate(size_t n) override { return std::make_unique<DeviceStorage>(machine_.device, n); }
  std::unique_ptr<Storage> allocate_host(size_t bytes) override {
    return std::make_unique<PinnedStorage>(machine_, bytes);
  }

  // Waits: the call itself returns which element is bad.
  void write(Queue& queue, zka_field field, zka_fe* to, const zka_fe* from, size_t n, zka_form form) override {
    DeviceQueue& on = on_device(queue);
    const std::array<uint64_t, 1> none = {n};
    const auto first_bad = uploaded<const uint64_t>(on, none);
    on.upload(to, from, n * sizeof(zka_fe));
    in_field(field, [&]<class F>(std::type_identity<F>) {
      launch(on, over(n), ImportElements<F>{of_field<F>(to), n, form == ZKA_FORM_CANONICAL, first_bad.data()});
    });
    const uint64_t bad = read_back(on, first_bad.data());
    if (bad < n) throw Failure(ZKA_E_NON_CANONICAL, "element " + std::to_string(bad) + " is not below the modulus");
  }

  void read(Queue& queue, zka_field field, const zka_fe* from, zka_fe* to, size_t n, zka_form form) override {
    DeviceQueue& on = on_device(queue);
    if (form == ZKA_FORM_MONTGOMERY) return on.download(to, from, n * sizeof(zka_fe));
    const DeviceArray<zka_fe> values(on, std::min(n, PIECE));
    for (size_t begin = 0; begin < n; begin += PIECE) {
      const size_t count = std::min(PIECE, n - begin);
      in_field(field, [&]<class F>(std::type_identity<F>) {
        launch(on, over(count), ExportElements<F>{of_field<F>(from + begin), count, of_field<F>(values.data())});
      });
      on.download(to + begin, values.data(), count * sizeof(zka_fe));
    }
  }

  // A device does not copy between ranges that overlap.
  void copy(Queue& queue, zka_fe* to, const zka_fe* from, size_t n) override {
    DeviceQueue& on = on_device(queue);
    const size_t bytes = n * sizeof(zka_fe);
    if (to + n <= from || from + n <= to) return on.copy(to, from, bytes);
    const DeviceArray<zka_fe> between(on, n);
    on.copy(between.data(), from, bytes);
    on.copy(to, between.data(), bytes);
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<BufferOperations> buffer_operations(Machine& machine) {
  return std::make_unique<GpuBuffers>(machine);
}

}  // namespace zka::gpu
