/**
 * The charts of deploy/helm as Helm renders them, for the least and for the most that can be stated: valid by Kubernetes' own
 * schemas, of the oldest and the newest release that they are for; wrong values refused by name; and what each pod may do.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { afterAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const CHARTS = inRepository("deploy", "helm");
const VALUES = join(CHARTS, "testing");
const SCHEMAS = inRepository(".cache", "kubernetes-schemas");
const RELEASES = ["1.29.0", "1.37.0"];
/** Of Prometheus' operator, and not of Kubernetes. */
const OTHERS = "ServiceMonitor,PodMonitor,PrometheusRule";
const CASES = readdirSync(VALUES).map(
  (file) => [file.replace(".yaml", ""), chartOf(file), join(VALUES, file)] as const,
);

const folder = makeWorkFolder();
afterAll(() => folder[Symbol.dispose]());

interface Container {
  readonly name: string;
  readonly image: string;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly resources?: { readonly limits?: object; readonly requests?: object };
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly readOnly?: boolean }[];
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly automountServiceAccountToken: boolean;
  readonly volumes: readonly { readonly name: string; readonly hostPath?: object; readonly secret?: object }[];
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly selector?: { readonly matchLabels?: object };
    readonly podSelector?: { readonly matchLabels: object };
    readonly policyTypes?: readonly string[];
    readonly maxUnavailable?: number;
    readonly groups?: readonly unknown[];
  };
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function chartOf(values: string): string {
  return join(CHARTS, `elastic-${values.split(/[-.]/)[0]}`);
}

function tool(name: string, ...args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(inRepository(".cache", "bin", name), args, { encoding: "utf8" });
  return { code: status, stdout, stderr };
}

function helmTemplate(chart: string, values: string, release: string, ...more: readonly string[]): Ran {
  const where = ["--namespace", "elastic", "--kube-version", release];
  return tool("helm", "template", "site", chart, "--values", values, ...where, ...more);
}

function rendered(chart: string, values: string): readonly Resource[] {
  const { code, stdout, stderr } = helmTemplate(chart, values, RELEASES.at(-1) ?? "");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Resource | null) ?? []);
}

function podOf(resources: readonly Resource[]): PodSpec {
  const spec = resources.find(({ kind }) => kind === "StatefulSet" || kind === "DaemonSet")?.spec.template?.spec;
  if (spec === undefined) throw new Error("the chart has no pods");
  return spec;
}

/** Kinds by which of them there are. */
function kindsOf(resources: readonly Resource[]): readonly string[] {
  return [...new Set(resources.map(({ kind }) => kind))].toSorted();
}

describe.each(CASES)("%s", (name, chart, values) => {
  test("passes Helm's own checks", () => {
    expect(tool("helm", "lint", "--strict", chart, "--values", values)).toMatchObject({ code: 0 });
  });

  test.each(RELEASES)("is valid for Kubernetes %s", (release) => {
    const file = join(folder.path, `${name}-${release}.yaml`);
    writeFileSync(file, helmTemplate(chart, values, release).stdout);
    const location = `${SCHEMAS}/v${release}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    const options = ["-strict", "-output", "json", "-summary", "-skip", OTHERS, "-schema-location", location];
    const { code, stdout } = tool("kubeconform", ...options, file);
    const { resources, summary } = JSON.parse(stdout) as {
      readonly resources?: readonly unknown[];
      readonly summary: { readonly valid: number; readonly invalid: number; readonly errors: number };
    };
    expect(resources ?? []).toEqual([]);
    expect(summary).toMatchObject({ invalid: 0, errors: 0 });
    expect(summary.valid).toBeGreaterThan(1);
    expect(code).toBe(0);
  });

  test("gives each container a probe, limits, and a root that it cannot write to", () => {
    const { containers, initContainers = [], automountServiceAccountToken } = podOf(rendered(chart, values));
    expect(automountServiceAccountToken).toBe(false);
    for (const container of containers) {
      expect(container).toMatchObject({ livenessProbe: expect.anything(), readinessProbe: expect.anything() });
    }
    for (const container of [...containers, ...initContainers]) {
      const { resources, securityContext, env } = container;
      expect(resources?.limits).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
      expect(resources?.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
      expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      expect(new Set(env.map((one) => one.name)).size).toBe(env.length);
    }
  });

  test("selects its own pods, and lets nobody else in but where it says so", () => {
    const resources = rendered(chart, values);
    const labels = resources.find(({ spec }) => spec.template !== undefined)?.spec.template?.metadata.labels;
    const policies = resources.filter(({ kind }) => kind === "NetworkPolicy");
    expect(policies).toHaveLength(1);
    expect(policies[0]?.spec.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(labels).toMatchObject(policies[0]?.spec.podSelector?.matchLabels ?? { absent: "" });
  });
});

const coordinator = (values: string): readonly Resource[] => rendered(chartOf("coordinator"), join(VALUES, values));

test.each(["coordinator.yaml", "coordinator-everything.yaml"])(
  "no container of %s is root or may become it",
  (values) => {
    const pod = podOf(coordinator(values));
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } });
      expect(securityContext).not.toHaveProperty("privileged");
    }
    expect(pod.volumes.filter(({ hostPath }) => hostPath !== undefined)).toEqual([]);
    const secrets = pod.volumes.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
    const mounts = pod.containers.flatMap(({ volumeMounts }) => volumeMounts);
    for (const name of secrets) expect(mounts.find((mount) => mount.name === name)?.readOnly).toBe(true);
  },
);

test("one coordinator at a time may be evicted, and each has a name for agents", () => {
  const resources = coordinator("coordinator.yaml");
  const budget = resources.find(({ kind }) => kind === "PodDisruptionBudget");
  expect(budget?.spec).toMatchObject({ maxUnavailable: 1, selector: { matchLabels: expect.anything() } });
  const { env } = podOf(resources).containers[0] ?? { env: [] };
  const service = resources.find(({ kind, metadata }) => kind === "Service" && metadata.name.endsWith("-agents"));
  expect(env.find(({ name }) => name === "ELASTIC_GRPC_ADVERTISE")?.value).toBe(
    `$(POD_NAME).${service?.metadata.name}.elastic.svc.cluster.local:8443`,
  );
});

test("what can be switched on is there only where it is", () => {
  const optional = ["Ingress", "PrometheusRule", "ServiceMonitor"];
  expect(kindsOf(coordinator("coordinator.yaml"))).not.toEqual(expect.arrayContaining(optional));
  const all = coordinator("coordinator-everything.yaml");
  expect(kindsOf(all)).toEqual(expect.arrayContaining(optional));
  const rules = all.find(({ kind }) => kind === "PrometheusRule");
  expect(rules?.spec.groups?.length).toBeGreaterThan(3);
});

test("a machine is enrolled by a job on it, which has that machine's token alone, in a file", () => {
  const resources = rendered(chartOf("agent"), join(VALUES, "agent.yaml"));
  const jobs = resources.filter(({ kind }) => kind === "Job");
  expect(new Set(jobs.map(({ metadata }) => metadata.name)).size).toBe(2);
  for (const machine of ["gpu-7", "gpu-8.example.com"]) {
    const text = jobs.map((job) => JSON.stringify(job)).find((one) => one.includes(`"values":["${machine}"]`)) ?? "";
    expect(text.match(/"secretName":"[^"]+"/g)).toEqual([`"secretName":"join-token-${machine}"`]);
    expect(text).toContain("--token-file /run/join/token ");
  }
  const rest = JSON.stringify(resources.filter(({ kind }) => kind !== "Job"));
  expect(rest).not.toContain("secretName");
});

test("agents run on machines with GPUs alone where nothing else is said", () => {
  const pod = podOf(rendered(chartOf("agent"), join(VALUES, "agent.yaml")));
  expect(pod.nodeSelector).toEqual({ "nvidia.com/gpu.present": "true" });
  // Until it is a node it has no right at all, and no token.
  expect(pod.initContainers?.[0]?.securityContext).toMatchObject({ capabilities: { drop: ["ALL"] } });
});

test.each([
  ["coordinator", "replicas=0", "/replicas"],
  ["coordinator", "replica=3", "'replica' not allowed"],
  ["coordinator", "etcd.endpoints[0]=etcd:2379", "/etcd/endpoints/0"],
  ["coordinator", "etcd.tlsSecret=", "/etcd/tlsSecret"],
  ["coordinator", "archive.urlSecret=", "/archive/urlSecret"],
  ["coordinator", "masterKeys.secret=", "/masterKeys/secret"],
  ["coordinator", "blobs.existingClaim=blobs", "/blobs"],
  ["coordinator", "image.digest=latest", "/image/digest"],
  ["coordinator", "publicUrl=proofs.example.com", "/publicUrl"],
  ["coordinator", "ingress.enabled=true", "/ingress/host"],
  ["coordinator", "resources.limits.memory=null", "/resources/limits"],
  ["coordinator", "env.PATH=x", "'PATH'"],
  ["coordinator", "env.ELASTIC_ETCD=x", "'ELASTIC_ETCD'"],
  ["coordinator", "env.ELASTIC_QUEUE_TIMEOU=1", "'ELASTIC_QUEUE_TIMEOU'"],
  ["coordinator", "trustedProxies[0]=10.0.0.0/33", "/trustedProxies/0"],
  ["coordinator", "agents.advertise=agents.example.com:8443", "/agents/advertise"],
  ["agent", "enrollment.tokensSecret=", "/enrollment/tokensSecret"],
  ["agent", "enrollment.coordinator=control", "/enrollment/coordinator"],
  ["agent", "engine.socket=docker", "/engine/socket"],
  ["agent", "labels.zone=a b", "/labels/zone"],
  ["agent", "certificates.coordinators[0]=a:1", "/certificates"],
])("refuses for %s: %s", (name, value, message) => {
  const chart = chartOf(name);
  const { code, stderr } = helmTemplate(chart, join(VALUES, `${name}.yaml`), "1.37.0", "--set", value);
  expect(code).toBe(1);
  expect(stderr).toContain("values don't meet the specifications of the schema");
  expect(stderr).toContain(message);
});
