import { expect, test } from "vitest";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { LABELS, labelValue } from "./pod-labels.ts";
import { podOf } from "./pod-manifest.ts";

const OWNER = { nodeId: "cluster-a", sessionId: "s1" };
const SETTING = { gpuResource: "nvidia.com/gpu", nodeSelector: { pool: "gpu" }, pullSecret: null, runtimeClass: null };
const SPEC: WorkloadSpec = {
  assignmentId: "a1",
  role: "prover",
  shell: null,
  deploymentId: "d1",
  serviceId: "s1",
  teamId: "t1",
  image: `r.example/p@sha256:${"0".repeat(64)}`,
  env: {},
  concurrency: 1,
  startTimeoutMs: 1_000,
  inputBytesMax: 10,
  gpuUuids: [],
  resources: { cpuMillis: 1_500, memoryBytes: 2 ** 30, pids: 64, tmpBytes: 2 ** 24 },
  volume: null,
  verifierImage: null,
};

/** As far as it is looked into here; the long tests have a server check all of it. */
interface Manifest {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly tolerations: readonly object[];
    readonly containers: readonly [
      {
        readonly env: readonly { readonly name: string; readonly value: string }[];
        readonly resources: object;
        readonly securityContext: object;
      },
    ];
  };
}

const manifestOf = (more: Partial<WorkloadSpec> = {}): Manifest =>
  podOf({ ...SPEC, ...more }, OWNER, SETTING, 1).manifest as Manifest;

test("seals a prover off: no credentials, no names, no root, no capability, nothing to write but memory", () => {
  const { spec } = manifestOf();
  expect(spec).toMatchObject({
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    dnsPolicy: "None",
    securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: "RuntimeDefault" } },
    volumes: [{ name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "16777216" } }],
    nodeSelector: { pool: "gpu" },
  });
  expect(spec.containers[0].securityContext).toEqual({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    privileged: false,
    capabilities: { drop: ["ALL"] },
  });
});

test("requests exactly what it limits, and a GPU for each of the assignment", () => {
  const amounts = { cpu: "1500m", memory: "1073741824" };
  expect(manifestOf().spec.containers[0].resources).toEqual({ requests: amounts, limits: amounts });
  const withGpus = { ...amounts, "nvidia.com/gpu": "2" };
  const { spec } = manifestOf({ gpuUuids: ["g0", "g1"] });
  expect(spec.containers[0].resources).toEqual({ requests: withGpus, limits: withGpus });
  expect(spec.tolerations).toEqual([{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }]);
});

test("hides every device from a prover without GPUs, whatever its image requests", () => {
  const hidden = { name: "NVIDIA_VISIBLE_DEVICES", value: "void" };
  expect(manifestOf().spec.containers[0].env).toContainEqual(hidden);
  expect(manifestOf({ gpuUuids: ["g0"] }).spec.containers[0].env).not.toContainEqual(hidden);
});

test("passes values with dollars as they are, which a cluster would replace", () => {
  const { env } = manifestOf({ env: { A: "$(PORT) $$ $", LD_PRELOAD: "x" } }).spec.containers[0];
  expect(env).toContainEqual({ name: "A", value: "$$(PORT) $$$$ $$" });
  expect(env.map(({ name }) => name)).not.toContain("LD_PRELOAD");
  expect(podOf({ ...SPEC, env: { LD_PRELOAD: "x" } }, OWNER, SETTING, 1).leftOut).toEqual(["LD_PRELOAD"]);
});

test("has the same name for each try of a start, and another for the next start, role or session", () => {
  const names = [
    podOf(SPEC, OWNER, SETTING, 1),
    podOf(SPEC, OWNER, SETTING, 2),
    podOf({ ...SPEC, role: "verifier" }, OWNER, SETTING, 1),
    podOf(SPEC, { ...OWNER, sessionId: "s2" }, SETTING, 1),
  ].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(podOf(SPEC, OWNER, SETTING, 1).name).toBe(names[0]);
});

test("labels a Pod with values that every cluster takes", () => {
  expect(manifestOf().metadata.labels).toMatchObject({ [LABELS.node]: "cluster-a", [LABELS.assignment]: "a1" });
  for (const name of ["x".repeat(64), "ends-", "a/b", ""]) {
    expect(labelValue(name)).toMatch(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/);
  }
  expect(labelValue("a/b")).not.toBe(labelValue("a_b"));
});
