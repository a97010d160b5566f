#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "core/plugin.h"
#include "support/contexts.h"

using zka::Failure;
using zka::test::cpu_config;

namespace {

const std::string WITH_PLUGIN = ZKA_WITH_PLUGIN;
const std::string PLUGIN = WITH_PLUGIN + "libzkaccel_cuda.so";

// What opening that plug-in fails with.
Failure failure_of(const std::string& file) {
  zka::Memory memory(0);
  try {
    zka::open_plugin(file, cpu_config(), memory);
  } catch (const Failure& failure) {
    return failure;
  }
  FAIL("a plug-in was opened");
  return Failure(ZKA_OK, "");
}

// The library as a program has it that found the plug-in next to it.
class Library {
 public:
  zka_status create(uint32_t backend, int32_t device, zka_ctx** ctx) const {
    zka_config config = cpu_config();
    config.backend = backend;
    config.device = device;
    return call<decltype(&zka_ctx_create)>("zka_ctx_create")(&config, ctx);
  }
  template <class Function>
  Function call(const char* name) const {
    REQUIRE(library_ != nullptr);
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

 private:
  void* const library_ = dlopen((WITH_PLUGIN + "libzkaccel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
};

// A folder that is removed with it.
struct Folder {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("zkaccel-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

// What a command of the shell printed, and its exit status; -1 where it has none.
struct Ended {
  std::string said;
  int status;
};
Ended run(const std::string& command) {
  FILE* program = popen(command.c_str(), "r");
  REQUIRE(program != nullptr);
  std::string said;
  char text[4096];
  for (size_t length; (length = std::fread(text, 1, sizeof text, program)) > 0;) said.append(text, length);
  const int status = pclose(program);
  return {said, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace

TEST_CASE("distinguishes no device from a driver that is too old, with the plug-in's message") {
  const Library library;
  const auto last_error = library.call<decltype(&zka_last_error)>("zka_last_error");
  const auto refusal = [&](int32_t device, zka_status status) {
    zka_ctx* ctx = nullptr;
    CHECK(library.create(ZKA_BACKEND_CUDA, device, &ctx) == status);
    CHECK(ctx == nullptr);
    return std::string(last_error(nullptr));
  };
  CHECK(refusal(0, ZKA_E_NO_DEVICE) == PLUGIN + ": version 3: there is no GPU");
  CHECK(refusal(1, ZKA_E_DRIVER) == PLUGIN + ": version 3: the driver is too old");
  CHECK(refusal(2, ZKA_E_INTERNAL) == PLUGIN + " opens no backend");
  CHECK(refusal(3, ZKA_E_INTERNAL) == PLUGIN + " returned -12345, which is no status: version 3: a number");
}

TEST_CASE("AUTO uses the CPU where the plug-in fails, with the plug-in's message") {
  const Library library;
  zka_ctx* ctx = nullptr;
  REQUIRE(library.create(ZKA_BACKEND_AUTO, 1, &ctx) == ZKA_OK);
  char info[4096];
  size_t need = 0;
  CHECK(library.call<decltype(&zka_device_info)>("zka_device_info")(ctx, info, sizeof info, &need) == ZKA_OK);
  CHECK(std::string(info).find("\"backend\":\"cpu\"") != std::string::npos);
  CHECK(std::string(info).find("\"fell_back\":\"" + PLUGIN + ": version 3: the driver is too old\"") != std::string::npos);
  library.call<decltype(&zka_ctx_destroy)>("zka_ctx_destroy")(ctx);
}

TEST_CASE("distinguishes a missing plug-in from a library that is not one") {
  CHECK(failure_of("/nowhere/libzkaccel_cuda.so").status() == ZKA_E_NO_DEVICE);
  CHECK(failure_of("libc.so.6").status() == ZKA_E_UNSUPPORTED);
}

TEST_CASE("what is in a plug-in's place and is no regular file is no device, and is not waited for") {
  const Folder folder;
  const std::string pipe = folder.path / "libzkaccel_cuda.so";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& file : {folder.path.string(), pipe}) {
    const Failure failure = failure_of(file);
    CHECK(failure.status() == ZKA_E_NO_DEVICE);
    REQUIRE(std::string(failure.what()) == "no CUDA plug-in: " + file + " is no regular file");
  }
}

TEST_CASE("the plug-in belongs next to the library") {
  const std::string path = zka::plugin_path();
  CHECK(path.ends_with("/libzkaccel_cuda.so"));
}

TEST_CASE("a program with the library within it finds the plug-in next to itself, also when a shell looked for it") {
  const Folder folder;
  std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"), folder.path / "prover");
  const std::string case_above = "'the plug-in belongs next to the library'";
  const Ended ended = run("cd / && PATH=" + folder.path.string() + " exec prover --test-case=" + case_above);
  CHECK(ended.said.find("1 passed") != std::string::npos);
  CHECK(ended.status == 0);
}

TEST_CASE("tests next to a plug-in that was not built are skipped, and say so") {
  const Folder folder;
  std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"), folder.path / "zkaccel_tests");
  std::filesystem::create_symlink("nowhere/libzkaccel_cuda.so", folder.path / "libzkaccel_cuda.so");
  // One case only: where nothing is skipped, it runs.
  const Ended ended = run((folder.path / "zkaccel_tests").string() + " --test-case='text in JSON is quoted'");
  CHECK(ended.said.starts_with("no CUDA plug-in: "));
  CHECK(ended.status == 77);
}
