/** A driver that does as a test says: builds the fake library and writes its script. */
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

export const GIB = 1024 ** 3;
const SOURCE = fileURLToPath(new URL("./fake-nvml.c", import.meta.url));

interface FakeGpu {
  readonly uuid: string;
  readonly minor?: number;
  readonly model?: string;
  readonly totalBytes?: number;
  readonly usedBytes?: number;
  readonly celsius?: number;
  readonly watts?: number;
  readonly percent?: number;
  readonly corrected?: number;
  readonly uncorrected?: number;
  readonly processes?: readonly { readonly pid: number; readonly bytes: number }[];
  readonly lost?: boolean;
  readonly instances?: readonly FakeInstance[];
}

interface FakeInstance {
  readonly uuid: string;
  readonly profile: string;
  readonly gpu: number;
  readonly totalBytes: number;
  readonly usedBytes?: number;
  readonly processes?: readonly { readonly pid: number; readonly bytes: number }[];
}

export interface FakeMachine {
  readonly gpus: readonly FakeGpu[];
  /** Every one that was ever reported. */
  readonly xids?: readonly { readonly uuid: string; readonly code: number; readonly gpuInstance?: number }[];
  /** Functions of the library, by name. */
  readonly hang?: string;
  readonly crash?: string;
  readonly fail?: { readonly call: string; readonly status: number };
}

export interface FakeDriver {
  readonly library: string;
  /** Takes effect at the next call of the library. */
  say(machine: FakeMachine): void;
}

/** Once for all tests of a process: a driver finds its script next to its library. */
let compiled: Buffer | null = null;

export function fakeDriver(machine: FakeMachine): FakeDriver {
  const folder = temporaryFolder();
  const library = join(folder, "libnvidia-ml.so.1");
  if (compiled === null) {
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl"]);
    compiled = readFileSync(library);
  } else writeFileSync(library, compiled);
  const say = (said: FakeMachine): void => {
    const next = join(folder, "script.next");
    writeFileSync(next, `${linesOf(said).join("\n")}\n`);
    renameSync(next, join(folder, "script"));
  };
  say(machine);
  return { library, say };
}

function linesOf({ gpus, xids = [], hang, crash, fail }: FakeMachine): readonly string[] {
  return [
    "driver 570.1",
    ...gpus.flatMap((gpu, index) => gpuLines(gpu, index)),
    ...xids.map(({ uuid, code, gpuInstance = -1 }) => `xid ${uuid} ${gpuInstance} ${code}`),
    ...(hang === undefined ? [] : [`hang ${hang}`]),
    ...(crash === undefined ? [] : [`crash ${crash}`]),
    ...(fail === undefined ? [] : [`fail ${fail.call} ${fail.status}`]),
  ];
}

function gpuLines(gpu: FakeGpu, index: number): readonly string[] {
  const { uuid, minor = index, model = "NVIDIA H200", instances = [], lost = false } = gpu;
  const { totalBytes = 140 * GIB, usedBytes = 0, celsius = 40, watts = 100, percent = 0 } = gpu;
  const { corrected = 0, uncorrected = 0 } = gpu;
  const figures = [totalBytes, usedBytes, celsius, watts * 1000, percent, corrected, uncorrected];
  return [
    `gpu ${uuid} ${minor} ${figures.join(" ")} ${instances.length > 0 ? 1 : 0} ${model}`,
    ...instances.map((one) => {
      const place = `${one.gpu} 0 ${one.totalBytes} ${one.usedBytes ?? 0}`;
      return `mig ${uuid} ${one.uuid} ${place} ${model} MIG ${one.profile}`;
    }),
    ...[gpu, ...instances].flatMap(({ uuid: of, processes = [] }) =>
      processes.map(({ pid, bytes }) => `process ${of} ${pid} ${bytes}`),
    ),
    ...(lost ? [`lost ${uuid}`] : []),
  ];
}
