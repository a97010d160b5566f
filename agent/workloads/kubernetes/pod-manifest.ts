/**
 * Where a Pod's limits are set: all of what a prover's Pod may and may not do, and nowhere else. As container-limits.ts for
 * containers, as far as a cluster has it:
 *
 * - no egress, and no ingress but from the agent (network-policy.ts); no names, no credentials of the cluster
 * - an unprivileged user whatever the image says, no capability, no way to gain one
 * - a read-only root; what may be written is memory of bounded size
 * - memory and processors with one figure for request and limit
 * - the system calls of the runtime's default profile
 * - only as many GPUs as the assignment names
 */
import { createHash } from "node:crypto";
import type { ClusterSetting } from "../../domain/cluster-setting.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { specDigest } from "../docker/container-config.ts";
import { containerEnv, PROVER_PORT } from "../docker/container-env.ts";
import { ANNOTATIONS, LABELS, labelValue, PROVER_KIND } from "./pod-labels.ts";

export interface PodOwner {
  readonly nodeId: string;
  readonly sessionId: string;
}

export type PodSetting = Pick<ClusterSetting, "gpuResource" | "nodeSelector" | "pullSecret" | "runtimeClass">;

export const CONTAINER_NAME = "prover";
/** As of a container's user on a machine. */
const USER_ID = 65_534;
/** As an engine that is stopped waits for a prover, which has nothing to put away. */
export const GRACE_SECONDS = 1;
/** Nobody listens there. The API server wants one where names are off. */
const NO_NAMESERVER = "127.0.0.1";

export interface PodPlan {
  readonly name: string;
  readonly manifest: object;
  /** Names of the deployment's variables that were left out. */
  readonly leftOut: readonly string[];
}

/** `start` numbers the starts of this process: each has a Pod of a name that no other has. */
export function podOf(spec: WorkloadSpec, owner: PodOwner, setting: PodSetting, start: number): PodPlan {
  const { cpuMillis, memoryBytes, tmpBytes } = spec.resources;
  const env = containerEnv(spec.env, [], spec);
  const name = podName(spec, owner, start);
  const gpus = spec.gpuUuids.length;
  const amounts = {
    cpu: `${cpuMillis}m`,
    memory: `${memoryBytes}`,
    ...(gpus === 0 ? {} : { [setting.gpuResource]: `${gpus}` }),
  };
  const manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: labelsOf(spec, owner), annotations: annotationsOf(spec, owner) },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      dnsPolicy: "None",
      dnsConfig: { nameservers: [NO_NAMESERVER] },
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER_ID,
        runAsGroup: USER_ID,
        fsGroup: USER_ID,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: CONTAINER_NAME,
          image: spec.image,
          imagePullPolicy: "IfNotPresent",
          env: [...env.entries.map(envVariable), ...(gpus === 0 ? [NO_DEVICES] : [])],
          ports: [{ name: "http", containerPort: PROVER_PORT, protocol: "TCP" }],
          resources: { requests: amounts, limits: amounts },
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            privileged: false,
            capabilities: { drop: ["ALL"] },
          },
          volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
        },
      ],
      // Memory, so that what a prover writes is on no disk; its pages count as the container's.
      volumes: [{ name: "tmp", emptyDir: { medium: "Memory", sizeLimit: `${tmpBytes}` } }],
      // As clusters mark the nodes that have GPUs.
      tolerations: gpus === 0 ? [] : [{ key: setting.gpuResource, operator: "Exists", effect: "NoSchedule" }],
      nodeSelector: setting.nodeSelector,
      ...(setting.pullSecret === null ? {} : { imagePullSecrets: [{ name: setting.pullSecret }] }),
      ...(setting.runtimeClass === null ? {} : { runtimeClassName: setting.runtimeClass }),
    },
  };
  return { name, manifest, leftOut: env.leftOut };
}

/** NVIDIA's runtime gives every device of a node to an image that requests them this way, where nothing says otherwise. */
const NO_DEVICES = { name: "NVIDIA_VISIBLE_DEVICES", value: "void" };

/** `$(NAME)` in a value would be replaced, and `$$` is a dollar. */
function envVariable(entry: string): { readonly name: string; readonly value: string } {
  const at = entry.indexOf("=");
  return { name: entry.slice(0, at), value: entry.slice(at + 1).replaceAll("$", "$$$$") };
}

/** The same for each try of one start: a request whose response was lost makes no second Pod. */
function podName({ assignmentId, role }: WorkloadSpec, { nodeId, sessionId }: PodOwner, start: number): string {
  const digest = createHash("sha256").update(JSON.stringify([nodeId, sessionId, assignmentId, role, start]));
  return `elastic-${role}-${digest.digest("hex").slice(0, 20)}`;
}

function labelsOf(spec: WorkloadSpec, owner: PodOwner): Record<string, string> {
  return {
    [LABELS.kind]: PROVER_KIND,
    [LABELS.node]: labelValue(owner.nodeId),
    [LABELS.assignment]: labelValue(spec.assignmentId),
    [LABELS.role]: spec.role,
    [LABELS.session]: labelValue(owner.sessionId),
    [LABELS.deployment]: labelValue(spec.deploymentId),
    [LABELS.service]: labelValue(spec.serviceId),
    [LABELS.team]: labelValue(spec.teamId),
  };
}

function annotationsOf(spec: WorkloadSpec, owner: PodOwner): Record<string, string> {
  return {
    [ANNOTATIONS.node]: owner.nodeId,
    // A verifier is never taken over: what an earlier process left of one belongs to no assignment.
    [ANNOTATIONS.assignment]: spec.role === "prover" ? spec.assignmentId : `${spec.assignmentId}/verifier`,
    [ANNOTATIONS.spec]: specDigest(spec),
    [ANNOTATIONS.gpus]: spec.gpuUuids.join(","),
  };
}
