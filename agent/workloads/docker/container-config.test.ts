import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { specOf, type WorkloadSpec } from "../../domain/workload-spec.ts";
import { assignmentOf } from "../../testing/orders.ts";
import { SECCOMP_OPTION } from "../seccomp/seccomp-profile.ts";
import { containerPlan, specDigest } from "./container-config.ts";
import { containerEnv, DROPPED_NAME, isAllowedName } from "./container-env.ts";
import { parseHostLimits } from "./host-limits.ts";

const PLATFORM = { inputBytesMax: 100, role: "prover" } as const;
const OWNER = { nodeId: "n1", sessionId: "s1" };
const HOST = { openFilesMax: 1_000_000, processesMax: 1_000_000 };

function spec(more: Parameters<typeof assignmentOf>[1] = {}): WorkloadSpec {
  const made = specOf(assignmentOf("r/i@sha256:0", more));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}

type ImageConfig = Parameters<typeof containerPlan>[1]["Config"];

function plan(
  more: Parameters<typeof assignmentOf>[1] = {},
  image: object = {},
  host = HOST,
  data: string | null = null,
) {
  const config = { Cmd: ["/prover"], ...image } as ImageConfig;
  return containerPlan(spec(more), { Config: config }, OWNER, { host, data }).options;
}

test("an image that names no program to start is its maker's to mend, whatever an engine would say", () => {
  const nothing = [{}, { Cmd: null, Entrypoint: null }, { Cmd: [], Entrypoint: [] }, { Cmd: null, Entrypoint: [] }];
  for (const image of nothing) {
    expect(() => plan({}, { Cmd: undefined, ...image })).toThrow(
      expect.objectContaining({
        reason: "prover_error",
        message: expect.stringContaining("neither ENTRYPOINT nor CMD"),
      }),
    );
  }
  expect(() => plan({}, { Cmd: null, Entrypoint: ["/prover"] })).not.toThrow();
  expect(() => plan({}, { Cmd: ["/prover"], Entrypoint: null })).not.toThrow();
});

describe("a container", () => {
  test("is nobody, whatever its image says", () => {
    expect(plan({}, { User: "root" }).User).toBe("65534:65534");
  });

  test("has no network, no capability, no writable disk, and no swap", () => {
    expect(plan().HostConfig).toMatchObject({
      NetworkMode: "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges", SECCOMP_OPTION],
      ReadonlyRootfs: true,
      Privileged: false,
      Memory: 256 * 1024 * 1024,
      MemorySwap: 256 * 1024 * 1024,
      NanoCpus: 1_000_000_000,
      PidsLimit: 64,
      RestartPolicy: { Name: "no" },
    });
  });

  test("gets limits no higher than the machine's own", () => {
    const { Ulimits = [] } = plan({}, {}, { openFilesMax: 1024, processesMax: 500 }).HostConfig ?? {};
    expect(Ulimits).toEqual([
      { Name: "nofile", Soft: 1024, Hard: 1024 },
      { Name: "nproc", Soft: 500, Hard: 500 },
      { Name: "core", Soft: 0, Hard: 0 },
    ]);
  });

  test("sees its data volume read-only, and nothing that is mounted there later", () => {
    expect(plan().HostConfig?.Mounts).toEqual([]);
    const { Mounts, Tmpfs } =
      plan({}, { Volumes: { "/data": {}, "/cache": {} } }, HOST, "/state/tree").HostConfig ?? {};
    const options = { Type: "bind", Source: "/state/tree", Target: "/data", ReadOnly: true };
    expect(Mounts).toEqual([{ ...options, BindOptions: { Propagation: "rprivate" } }]);
    expect(Object.keys(Tmpfs ?? {})).toEqual(["/tmp", "/cache"]);
    expect(() => plan({}, { Volumes: { "/data/cache": {} } }, HOST, "/state/tree")).toThrow("/data/cache");
  });

  test("gets memory in place of the folders of the host that its image's volumes would be", () => {
    const { Tmpfs = {} } = plan({}, { Volumes: { "/data": {} } }).HostConfig ?? {};
    expect(Object.keys(Tmpfs)).toEqual(["/tmp", "/data"]);
    expect(Tmpfs["/data"]).toContain("size=16777216");
  });

  test.each([
    ["/proc/self/fd/8", "/"],
    ["//proc/1", "/"],
    ["", "/"],
    ["/app", "/app"],
  ])("whose image starts in %j starts in %s", (wanted, given) => {
    expect(plan({}, { WorkingDir: wanted }).WorkingDir).toBe(given);
  });

  test("requests its GPUs by their ids, and none without", () => {
    expect(plan().HostConfig?.DeviceRequests).toEqual([]);
    const [request] = plan({ gpuUuids: ["GPU-1"] }).HostConfig?.DeviceRequests ?? [];
    expect(request).toMatchObject({ DeviceIDs: ["GPU-1"], Count: 0 });
  });

  test("says on its labels whose it is and what it was made for", () => {
    expect(plan().Labels).toMatchObject({ "elastic.node": "n1", "elastic.assignment": "a1", "elastic.session": "s1" });
    // Else an image could say that it is none of the agent's.
    expect(plan().Labels).toHaveProperty(["elastic.kind"], "prover");
    const digest = specDigest(spec({ env: { A: "1", B: "2" } }));
    expect(specDigest(spec({ env: { B: "2", A: "1" } }))).toBe(digest);
    expect(specDigest(spec({ env: { A: "1", B: "3" } }))).not.toBe(digest);
  });
});

describe("its environment", () => {
  test("has the platform's variables, whatever the deployment says", () => {
    const { entries } = containerEnv({ PORT: "1", HOME: "/", ELASTIC_INPUT_BYTES_MAX: "9" }, [], PLATFORM);
    expect(entries).toEqual(expect.arrayContaining(["PORT=8080", "HOME=/tmp", "ELASTIC_INPUT_BYTES_MAX=100"]));
    expect(entries).toHaveLength(5);
  });

  test("drops every variable of one pattern, those of the platform too, and names each", () => {
    const platform = containerEnv({}, [], PLATFORM).entries.map((entry) => entry.split("=", 1)[0] ?? "");
    expect(platform.filter((name) => !DROPPED_NAME.test(name))).toEqual([]);
    const dropped = [...platform, "LD_PRELOAD", "NVIDIA_VISIBLE_DEVICES", "GCONV_PATH", "RES_OPTIONS"];
    const wanted = Object.fromEntries([...dropped, "PATH", "OLD_HOME", "PORTS"].map((name) => [name, "x"]));
    expect(containerEnv(wanted, [], PLATFORM).leftOut).toEqual(dropped);
  });

  test("leaves out names that reach beyond the prover, and says which", () => {
    const { entries, leftOut } = containerEnv(
      { LD_PRELOAD: "x", NVIDIA_VISIBLE_DEVICES: "all", "a=b": "c", "": "d", OK: "e" },
      [],
      PLATFORM,
    );
    expect(leftOut).toEqual(["LD_PRELOAD", "NVIDIA_VISIBLE_DEVICES", "a=b", ""]);
    expect(entries).toContain("OK=e");
  });

  test("takes such names away from the image too", () => {
    const { entries } = containerEnv({}, ["LD_PRELOAD=/proc/self/cwd/poc.so", "PATH=/bin"], PLATFORM);
    expect(entries).toContain("LD_PRELOAD");
    expect(entries.some((entry) => entry.startsWith("PATH"))).toBe(false);
  });

  test("never lets a loader variable through", () => {
    fc.assert(
      fc.property(fc.string(), (rest) => {
        expect(isAllowedName(`LD_${rest}`)).toBe(false);
      }),
    );
  });
});

test("the machine's hard limits are read, and unlimited is plenty", () => {
  const text =
    "Limit  Soft Limit  Hard Limit  Units\nMax processes  10  20  processes\nMax open files  1024  unlimited  files\n";
  expect(parseHostLimits(text)).toEqual({ openFilesMax: 1024 * 1024, processesMax: 20 });
});
