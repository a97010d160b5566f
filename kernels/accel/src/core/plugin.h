// A backend in a separate library, libzkaccel_cuda.so, that is next to this one and is loaded when a context requests
// it: so this library needs neither a GPU nor its driver. Both are of one release and one compiler.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "core/backend.h"
#include "core/memory.h"
#include "zkaccel/context.h"

namespace zka {

// Counts with each change of the classes in backend.h and memory.h.
constexpr uint32_t PLUGIN_VERSION = 3;
constexpr const char* PLUGIN_FILE = "libzkaccel_cuda.so";
constexpr const char* PLUGIN_ENTRY = "zkaccel_plugin_open";

// The request to a plug-in, and its response.
struct PluginCall {
  uint32_t version;  // PLUGIN_VERSION of the main library
  const zka_config& config;
  Memory& host_memory;  // outlives the backend
  std::unique_ptr<Backend> backend;
  char why[256];  // where the status is not ZKA_OK
};

// The entry point: extern "C" zka_status zkaccel_plugin_open(zka::PluginCall*), which throws nothing. NO_DEVICE without
// a GPU, DRIVER where it cannot be used, UNSUPPORTED for another version. Its status is read as a number.
using PluginOpen = int (*)(PluginCall*);

// Where the plug-in belongs: next to this library, or to the program that contains it.
std::string plugin_path();
// Never null. Throws Failure with the plug-in's status, INTERNAL where that is none; NO_DEVICE where there is no such file,
// or it cannot be loaded.
std::unique_ptr<Backend> open_plugin(const std::string& file, const zka_config& config, Memory& host_memory);

}  // namespace zka
