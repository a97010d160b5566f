/**
 * A machine with GPUs as far as an agent can observe: a driver that a test scripts, and the device files of its GPUs in a
 * separate /dev, gone with its process. Needs root.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "@elastic/deploy/local/program.ts";
import { type FakeDriver, type FakeMachine, fakeDriver } from "../../agent/gpus/testing/fake-driver.ts";

export interface GpuMachine {
  readonly driver: FakeDriver;
  /** Of its agent. */
  readonly settings: Readonly<Record<string, string>>;
  inside(program: Program): Program;
}

/** What a prover of the machine sees of its GPUs. */
export interface SeenGpus {
  readonly visible: string;
  readonly devices: readonly string[];
}

/** What any program needs, as the kernel numbers it; the rest stand in for GPUs and do nothing. */
const ORDINARY = ["null 1 3", "zero 1 5", "full 1 7", "random 1 8", "urandom 1 9", "tty 5 0"];

/** Runs as `sh -c`: makes the device files named before `--`, then becomes the command after it. */
const DEVICES_THEN_RUN = `
mount -t tmpfs -o mode=0755,size=1m tmpfs /dev || exit 1
make() { mknod -m 0666 "/dev/$1" c "$2" "$3"; }
while [ "$1" != -- ]; do make $1 || exit 1; shift; done
shift
exec "$@"`;

export function gpuMachine(machine: FakeMachine): GpuMachine {
  const driver = fakeDriver(machine);
  const whole = machine.gpus.map(({ minor }, index) => `nvidia${minor ?? index} 1 3`);
  const nodes = [...ORDINARY, ...whole, "nvidiactl 1 3", "nvidia-uvm 1 3"];
  return {
    driver,
    settings: { ELASTIC_NVML_LIBRARY: driver.library },
    inside: (program) => ({
      ...program,
      command: "unshare",
      args: [
        ...["--mount", "--", "sh", "-c", DEVICES_THEN_RUN, "sh", ...nodes, "--"],
        ...[program.command, ...program.args],
      ],
    }),
  };
}

/** Agents of a cluster, by their names, as machines with so many GPUs each; the other programs as they are. */
export function agentsWithGpus(agents: number, gpus: number): (program: Program) => Program {
  const machines = Array.from({ length: agents }, (_agent, machine) =>
    gpuMachine({ gpus: Array.from({ length: gpus }, (_gpu, gpu) => ({ uuid: `GPU-${machine + 1}-${gpu + 1}` })) }),
  );
  return (program) => {
    const machine = machines[Number(/^agent-(\d+)$/.exec(program.name)?.[1]) - 1];
    return machine?.inside({ ...program, env: { ...program.env, ...machine.settings } }) ?? program;
  };
}

/** Of the builtin provers that this agent runs now. */
export function gpusOfProvers(agentPid: number): readonly SeenGpus[] {
  return descendants(agentPid).flatMap((pid) => {
    const command = read(`/proc/${pid}/cmdline`).split("\0");
    if (command[0] !== "/bin/node" || !command.some((word) => word.endsWith("/host.ts"))) return [];
    const visible = read(`/proc/${pid}/environ`)
      .split("\0")
      .find((entry) => entry.startsWith("CUDA_VISIBLE_DEVICES="));
    const devices = readdirSync(join(`/proc/${pid}`, "root", "dev")).filter((name) => name.startsWith("nvidia"));
    return [{ visible: visible?.slice("CUDA_VISIBLE_DEVICES=".length) ?? "", devices: devices.sort() }];
  });
}

function descendants(pid: number): readonly number[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const below = (of: number): readonly number[] =>
    all
      .filter((each) => new RegExp(`^PPid:\\t${of}$`, "m").test(read(`/proc/${each}/status`)))
      .flatMap((each) => [each, ...below(each)]);
  return below(pid);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
