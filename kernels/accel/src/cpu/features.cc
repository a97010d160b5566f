#include "cpu/features.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "zkaccel/context.h"
#if defined(ZKA_X86_VARIANTS)
#include <cpuid.h>
#endif

namespace zka::cpu {
namespace {

constexpr Isa BEST_FIRST[] = {Isa::ifma, Isa::adx, Isa::portable};

Isa named(std::string_view name) {
  for (const Isa isa : BEST_FIRST) {
    if (name == isa_name(isa)) return isa;
  }
  throw Failure(ZKA_E_INVALID_ARG, "ZKA_CPU is '" + std::string(name) + "', and portable, adx and ifma are known");
}

Isa checked(Isa isa) {
  if (!has(isa)) throw Failure(ZKA_E_UNSUPPORTED, std::string("this CPU lacks the instructions of ") + isa_name(isa));
  return isa;
}

#if defined(ZKA_X86_VARIANTS)
// Read by cpuid: clang 14 has no name for adx. Neither needs support of the operating system.
bool has_mulx_and_adx() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_BMI2) != 0 && (ebx & bit_ADX) != 0;
}
#endif

}  // namespace

bool has([[maybe_unused]] Isa isa) {
#if defined(ZKA_X86_VARIANTS)
  const bool adx = has_mulx_and_adx();
  const bool ifma = adx && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512ifma");
  return isa == Isa::portable || (isa == Isa::adx ? adx : ifma);
#else
  return isa == Isa::portable;
#endif
}

const char* isa_name(Isa isa) {
  return isa == Isa::portable ? "portable" : isa == Isa::adx ? "adx" : "ifma";
}

Isa choose_isa(uint32_t wanted) {
  if (wanted == ZKA_ISA_PORTABLE) return Isa::portable;
  if (wanted == ZKA_ISA_ADX) return checked(Isa::adx);
  if (wanted == ZKA_ISA_IFMA) return checked(Isa::ifma);
  const char* name = std::getenv("ZKA_CPU");
  if (name != nullptr && *name != '\0') return checked(named(name));
  return *std::find_if(std::begin(BEST_FIRST), std::end(BEST_FIRST), has);
}

unsigned usable_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());  // more CPUs than the set can name
}

std::string cpu_name() {
#if defined(ZKA_X86_VARIANTS)
  char name[49] = "";
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned words[4] = {};
    if (__get_cpuid(0x80000002u + leaf, &words[0], &words[1], &words[2], &words[3]) == 0) return "x86-64";
    std::memcpy(name + 16 * leaf, words, sizeof words);
  }
  std::string_view text = name;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
#else
  return "CPU";
#endif
}

}  // namespace zka::cpu
