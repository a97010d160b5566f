#include <doctest/doctest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "support/allocations.h"
#include "support/buffers.h"

using namespace zka::test;

namespace {

zka_status create(const zka_config& config) {
  zka_ctx* ctx = nullptr;
  const zka_status status = zka_ctx_create(&config, &ctx);
  zka_ctx_destroy(ctx);
  return status;
}

std::string info(zka_ctx* ctx) {
  size_t need = 0;
  CHECK(zka_device_info(ctx, nullptr, 0, &need) == ZKA_E_SIZE);
  std::string json(need, '?');
  REQUIRE(zka_device_info(ctx, json.data(), need, &need) == ZKA_OK);
  CHECK(json.back() == '\0');
  json.pop_back();
  return json;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// An environment variable, as it was again at the end.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Environment() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

}  // namespace

TEST_CASE("rejects a configuration of another version, or with unknown values") {
  const auto refused = [](auto change, const std::string& word) {
    zka_config config = cpu_config();
    change(config);
    CHECK(create(config) == ZKA_E_INVALID_ARG);
    CHECK(has(zka_last_error(nullptr), word));
  };
  refused([](zka_config& c) { c.abi_version = 2; }, "abi_version");
  refused([](zka_config& c) { c.backend = 3; }, "backend");
  refused([](zka_config& c) { c.isa = 4; }, "isa");
  refused([](zka_config& c) { c.threads = 1025; }, "threads");
  refused([](zka_config& c) { c.reserved = 1; }, "reserved");
  CHECK(zka_abi_version() == ZKA_ABI_VERSION);
}

TEST_CASE("rejects null and misaligned arguments of zka_ctx_create") {
  const zka_config config = cpu_config();
  zka_ctx* ctx = nullptr;
  CHECK(zka_ctx_create(nullptr, &ctx) == ZKA_E_INVALID_ARG);
  CHECK(zka_ctx_create(&config, nullptr) == ZKA_E_INVALID_ARG);
  const auto* odd = reinterpret_cast<const zka_config*>(reinterpret_cast<const char*>(&config) + 1);
  CHECK(zka_ctx_create(odd, &ctx) == ZKA_E_INVALID_ARG);
  CHECK(std::string(zka_last_error(nullptr)) == "config is misaligned");
  CHECK(ctx == nullptr);
}

TEST_CASE("a context has the instructions and threads of its configuration") {
  for (const uint32_t isa : isas()) {
    const TestContext context(cpu_config(isa, 3));
    const char* names[] = {std::getenv("ZKA_CPU"), "portable", "adx", "ifma"};
    CHECK(has(info(context), std::string("\"isa\":\"") + names[isa] + "\",\"threads\":3,"));
  }
}

TEST_CASE("a context reports what it holds and what it may hold") {
  zka_config config = cpu_config();
  config.host_bytes_max = 4096;
  const TestContext context(config);
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  CHECK(has(info(context), "\"memory\":{\"host_bytes\":64,\"device_bytes\":0,\"host_bytes_max\":4096,"
                           "\"device_bytes_max\":0}"));
}

TEST_CASE("a description goes nowhere where its place is too small, null or misaligned") {
  const TestContext context;
  char json[4096] = "?";
  size_t need[2] = {};
  auto* const odd = reinterpret_cast<size_t*>(reinterpret_cast<char*>(need) + 1);
  zka_memory used;
  REQUIRE(zka_device_info(context, json, sizeof json, need) == ZKA_OK);
  json[0] = '?';
  CHECK(zka_device_info(context, json, *need - 1, need) == ZKA_E_SIZE);
  CHECK(json[0] == '?');
  CHECK(zka_device_info(context, json, sizeof json, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_device_info(context, json, sizeof json, odd) == ZKA_E_INVALID_ARG);
  CHECK(zka_device_info(context, nullptr, sizeof json, need) == ZKA_E_INVALID_ARG);
  CHECK(zka_device_info(nullptr, json, sizeof json, need) == ZKA_E_INVALID_ARG);
  CHECK(zka_memory_used(context, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_memory_used(nullptr, &used) == ZKA_E_INVALID_ARG);
}

TEST_CASE("threads are as many as the process may run on, unless they are given") {
  cpu_set_t all, one;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  CHECK(has(info(TestContext(cpu_config())), "\"threads\":" + std::to_string(CPU_COUNT(&all)) + ","));
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const std::string bound = info(TestContext(cpu_config()));
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(has(bound, "\"threads\":1,"));
}

TEST_CASE("ZKA_CPU goes before the best there is, and what it names must be known") {
  {
    const Environment portable("ZKA_CPU", "portable");
    CHECK(has(info(TestContext(cpu_config())), "\"isa\":\"portable\""));
  }
  const Environment unknown("ZKA_CPU", "avx1024");
  CHECK(create(cpu_config()) == ZKA_E_INVALID_ARG);
  CHECK(has(zka_last_error(nullptr), "avx1024"));
  CHECK(create(cpu_config(ZKA_ISA_PORTABLE)) == ZKA_OK);
}

TEST_CASE("never replaces a requested GPU: without the plug-in the error names the file that was not found") {
  zka_config config = cpu_config();
  config.backend = ZKA_BACKEND_CUDA;
  CHECK(create(config) == ZKA_E_NO_DEVICE);
  CHECK(has(zka_last_error(nullptr), "libzkaccel_cuda.so"));
}

TEST_CASE("AUTO falls back to the CPU and says why; a requested CPU says nothing") {
  zka_config config = cpu_config();
  config.backend = ZKA_BACKEND_AUTO;
  const std::string automatic = info(TestContext(config));
  CHECK(has(automatic, "\"backend\":\"cpu\""));
  CHECK(has(automatic, "\"fell_back\":\"no CUDA plug-in: "));
  CHECK(!has(info(TestContext()), "fell_back"));
}

TEST_CASE("the last error is the thread's own, and of the context that its call concerned") {
  const TestContext one, other;
  zka_buf* buf = nullptr;
  CHECK(zka_buf_alloc(one, static_cast<zka_field>(7), 1, &buf) == ZKA_E_INVALID_ARG);
  CHECK(one.last_error() == "field is 7");
  const TestBuffer small(one, ZKA_FIELD_BN254_FR, 1);
  zka_fe two[2];
  CHECK(zka_buf_read(small, 0, two, 2, ZKA_FORM_MONTGOMERY, nullptr) == ZKA_E_SIZE);
  CHECK(one.last_error() == "buf has 1 elements, not the 2 from 0 on");
  CHECK(other.last_error().empty());
  std::thread([&] { CHECK(one.last_error().empty()); }).join();
}

TEST_CASE("a context that finds no memory, at any point of its making, leaves nothing behind") {
  CHECK(create(cpu_config()) == ZKA_OK);
  const zka_config config = cpu_config(ZKA_ISA_AUTO, 3);
  each_allocation_fails_once(nullptr, [&] { return create(config); });
}

// The thread sanitizer has no threads after a fork of a process that had some.
#if !defined(__SANITIZE_THREAD__)
namespace {

// Whether `check` holds in a child of this process. One that hangs is ended by its alarm.
template <class Check>
bool in_a_child(const Check& check) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a child made by fork creates new contexts, and leaves those of its parent alone") {
  const TestContext of_parent(cpu_config(ZKA_ISA_AUTO, 2));
  const TestBuffer inherited(of_parent, ZKA_FIELD_BN254_FR, {fe(5)});
  CHECK(in_a_child([] {
    const zka_config config = cpu_config(ZKA_ISA_AUTO, 2);
    const zka_fe one = {{1}};
    zka_ctx* ctx = nullptr;
    zka_buf* buf = nullptr;
    const bool works = zka_ctx_create(&config, &ctx) == ZKA_OK &&
                       zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, 100'000, &buf) == ZKA_OK &&
                       zka_vector_powers(&one, &one, buf, 100'000, nullptr) == ZKA_OK;
    zka_ctx_destroy(ctx);
    return works;
  }));
  CHECK(inherited.read()[0] == fe(5));
}

TEST_CASE("rejects the parent's handles in a child made by fork, where destroying them does nothing") {
  const TestContext of_parent(cpu_config(ZKA_ISA_AUTO, 2));
  const TestBuffer inherited(of_parent, ZKA_FIELD_BN254_FR, 100'000);
  zka_stream* stream = nullptr;
  REQUIRE(zka_stream_create(of_parent, &stream) == ZKA_OK);
  CHECK(in_a_child([&] {
    const zka_fe one = {{1}};
    zka_buf* buf = nullptr;
    const bool refused = zka_vector_powers(&one, &one, inherited, 100'000, nullptr) == ZKA_E_INVALID_ARG &&
                         has(zka_last_error(of_parent), "buffer of the parent process") &&
                         zka_buf_alloc(of_parent, ZKA_FIELD_BN254_FR, 1, &buf) == ZKA_E_INVALID_ARG &&
                         has(zka_last_error(of_parent), "context of the parent process") && zka_buf_len(inherited) == 0;
    zka_stream_destroy(stream);
    zka_buf_free(inherited);
    zka_ctx_destroy(of_parent);
    return refused;
  }));
  CHECK(zka_buf_len(inherited) == 100'000);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}
#endif
