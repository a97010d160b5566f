#!/usr/bin/env bash
# What needs the GPU: that proofs there are those of the CPU, the same under compute-sanitizer, then the measuring. It needs a
# driver, and neither Node nor a network: `npm run bench -- plonk-gpu --prepare` has built everything, in target/ and .cache/.
#
#   bench/plonk-gpu/on-gpu.sh checks               proofs of the tests on the GPU, plain and sanitized
#   bench/plonk-gpu/on-gpu.sh measure ROUNDS [WORKLOAD,...]
#                                                  the rest, once the checks have passed
#
# It leaves target/plonk-gpu/: measured.jsonl, machine.json, checks.txt with a line for each check, and the log of each. It ends
# with 1 where a check failed or nothing could be measured.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
NAME=plonk-gpu
OUT=$ROOT/target/plonk-gpu
PROGRAM=$ROOT/target/plonk-gpu-bench/release/vs_halo2
TESTS=$ROOT/target/plonk-gpu-bench/proofs
CONTENDERS=elastic-plonk-gpu,elastic-plonk,halo2-axiom-gpu,halo2-axiom
WORKLOADS=chain-14,wide-16,chain-17,chain-20
source "$ROOT/bench/gpu/checks.sh"

checks() {
  local failed=0
  local tests=("$TESTS" --exact emulated_gpu::proofs_on_an_emulated_gpu_are_those_of_the_cpu)
  forget_checks
  # With the plug-in that is next to the library.
  export ELASTIC_PLONK_GPU=real
  checked tests "${tests[@]}" || failed=1
  checked same-proofs "$PROGRAM" --workloads poseidon-2,poseidon-16,chain-14 --rounds 1 \
    --contenders elastic-plonk-gpu,elastic-plonk || failed=1
  sanitized "$PROGRAM" --workloads poseidon-2 --rounds 1 --contenders elastic-plonk-gpu || failed=1
  [ "$failed" -eq 0 ] || fail "what fails its checks is not measured"
}

# The machine, as bench/benchmark/machine.ts has it.
machine() {
  printf '{"cpu": "%s", "cores": %d, "memory_bytes": %d, "gpus": ["%s"]}\n' \
    "$(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
    "$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))" \
    "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"
}

for built in "$TESTS" "$ROOT/target/accel/libzkaccel_cuda.so" "$PROGRAM"; do
  [ -e "$built" ] || fail "${built#"$ROOT"/} is not built: npm run bench -- plonk-gpu --prepare"
done
mkdir -p "$OUT"
rm -f "$OUT/measured.jsonl"
machine >"$OUT/machine.json"
# The tree may have been elsewhere when it was built.
export LD_LIBRARY_PATH=$ROOT/target/accel${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

case ${1:-} in
  checks) checks ;;
  measure) measured "$PROGRAM" --rounds "$2" --workloads "${3:-$WORKLOADS}" --contenders "$CONTENDERS" ;;
  *) fail "checks, or measure ROUNDS" ;;
esac
