#include "core/plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "core/failure.h"

namespace zka {
namespace {

bool is_status(int status) {
  return (status <= ZKA_OK && status >= ZKA_E_REMAINDER) || status == ZKA_E_INTERNAL;
}

constexpr const char* HOW_TO_GET_IT = "; build it with -DZKA_CUDA=ON and put it next to libzkaccel.so, or next to the "
                                      "program that has the library within it";

std::string loader_error() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gives no reason" : words;
}

}  // namespace

std::string plugin_path() {
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<const void*>(&plugin_path), &info) != 0 && info.dli_fname != nullptr;
  std::string file = known ? info.dli_fname : "";
  // A program with the library within it is known by what it was started by: a name where a shell looked for it, or a
  // path from a folder that it may have left since.
  std::error_code unknown;
  if (file.find('/') == std::string::npos || !std::filesystem::exists(file, unknown)) {
    file = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  }
  return file.substr(0, file.rfind('/') + 1) + PLUGIN_FILE;
}

std::unique_ptr<Backend> open_plugin(const std::string& file, const zka_config& config, Memory& host_memory) {
  // A pipe would keep the loader waiting for who writes to it. What is no path of a file, the loader looks for.
  std::error_code unknown;
  const auto there = std::filesystem::status(file, unknown);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    throw Failure(ZKA_E_NO_DEVICE, "no CUDA plug-in: " + file + " is no regular file");
  }
  // Never closed again: a device's run-time library does not survive it.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Failure(ZKA_E_NO_DEVICE, "no CUDA plug-in: " + loader_error() + HOW_TO_GET_IT);
  const auto open = reinterpret_cast<PluginOpen>(dlsym(library, PLUGIN_ENTRY));
  if (open == nullptr) throw Failure(ZKA_E_UNSUPPORTED, file + " is no plug-in of this library: " + loader_error());
  PluginCall call{PLUGIN_VERSION, config, host_memory, nullptr, ""};
  const int status = open(&call);
  call.why[sizeof call.why - 1] = '\0';
  if (status != ZKA_OK && !is_status(status)) {
    throw Failure(ZKA_E_INTERNAL, file + " returned " + std::to_string(status) + ", which is no status: " + call.why);
  }
  if (status != ZKA_OK) throw Failure(static_cast<zka_status>(status), file + ": " + call.why);
  if (!call.backend) throw Failure(ZKA_E_INTERNAL, file + " opens no backend");
  return std::move(call.backend);
}

}  // namespace zka
