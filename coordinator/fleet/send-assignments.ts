/**
 * Sends each linked node the complete set of what it shall run, whenever that changed. The leader does, and to nodes that
 * it does not reach another coordinator (contacts/). One that comes to send to a node sends it its set again.
 */
import type {
  Assignment as WireAssignment,
  DataVolume as WireVolume,
} from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import {
  type Assignment,
  type BuildAssignment,
  type DeploymentAssignment,
  isOfBuild,
  isOfDeployment,
} from "../domain/assignment.ts";
import type { DeployedVolume, Deployment } from "../domain/deployment.ts";
import { LARGE_INPUT_BYTES_MAX } from "../domain/upload.ts";
import { openEnv } from "../secrets/deployment-env.ts";
import type { RecordChange, View } from "../store/store.ts";
import { encodeBuildAssignment } from "./encode-build.ts";
import { encodeShellAssignment } from "./encode-shell.ts";
import type { FleetContext } from "./fleet-context.ts";
import type { Link } from "./link.ts";

interface Context extends Pick<FleetContext, "store" | "contacts" | "links" | "secrets" | "bounds" | "log"> {
  /** Where shells may connect at all. */
  readonly shellEgress: readonly EgressRule[];
}

export class AssignmentSender {
  readonly #context: Context;
  readonly #byNode = new Map<string, Map<string, Assignment>>();
  /** By node: the revision of the newest assignment there. The view may have this process's own before its revision says so. */
  readonly #newestWrites = new Map<string, number>();
  /** Nodes that were sent nothing, since their set is incomplete here. */
  readonly #withheld = new Set<string>();
  #changedNodes = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  start(): () => void {
    const { assignments } = this.#context.store.view;
    for (const { value } of assignments.values()) this.#of(value.nodeId).set(value.id, value);
    const { deployments, shells, builds } = this.#context.store.view;
    const stops = [
      assignments.subscribe((change) => this.#apply(change)),
      ...[assignments, deployments, shells, builds].map((records) => records.subscribe(() => this.#resendWithheld())),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** What could not be read may be readable now. */
  #resendWithheld(): void {
    for (const nodeId of this.#withheld) this.resend(nodeId);
  }

  /** Sends the node its set at the end of this turn, whatever it has. */
  resend(nodeId: string): void {
    if (this.#changedNodes.size === 0) setImmediate(() => this.#flush());
    this.#changedNodes.add(nodeId);
  }

  #apply({ id, before, after }: RecordChange<Assignment>): void {
    if (before !== undefined) this.#of(before.value.nodeId).delete(id);
    if (after !== undefined) {
      this.#of(after.value.nodeId).set(id, after.value);
      this.#newestWrites.set(after.value.nodeId, after.revision);
    }
    const nodeId = (after ?? before)?.value.nodeId;
    if (nodeId !== undefined) this.resend(nodeId);
  }

  #flush(): void {
    const nodes = this.#changedNodes;
    this.#changedNodes = new Set();
    const { contacts, links } = this.#context;
    for (const nodeId of nodes) {
      const link = links.get(nodeId);
      const epoch = contacts.commandingEpoch(nodeId);
      if (link !== undefined && epoch !== null) this.#send(link, epoch);
    }
  }

  #send(link: Link, epoch: number): void {
    const own = [...this.#of(link.nodeId).values()];
    // What an incomplete set lacks, its agent would end. Of an assignment that cannot be read nobody knows the node.
    const { view } = this.#context.store;
    if (view.unreadable(["assignments"]) > 0 || own.some((assignment) => isUnreadable(view, assignment))) {
      this.#withheld.add(link.nodeId);
      this.#logIncomplete(link.nodeId);
      return;
    }
    this.#withheld.delete(link.nodeId);
    const assignments = own.flatMap((assignment) => this.#encode(assignment));
    const storeEpoch = BigInt(this.#context.store.epoch);
    link.send({
      $case: "assignments",
      value: { storeEpoch, leaderEpoch: BigInt(epoch), generation: this.#generationOf(link.nodeId), assignments },
    });
  }

  #logIncomplete(nodeId: string): void {
    const { bounds, log } = this.#context;
    const unlogged = bounds.lines.next(nodeId, "incomplete assignments");
    if (unlogged === null) return;
    log.error({ nodeId, unlogged }, "a node is sent no assignments while some cannot be read here");
  }

  /** By the store's revisions, so that what two coordinators send is of one order. */
  #generationOf(nodeId: string): bigint {
    return BigInt(Math.max(this.#context.store.view.revision(), this.#newestWrites.get(nodeId) ?? 0));
  }

  /** Nothing for what cannot be run: the scheduler gives up what never comes up. */
  #encode(assignment: Assignment): WireAssignment[] {
    const { store, secrets, log } = this.#context;
    if (isOfBuild(assignment)) return this.#encodeBuild(assignment);
    if (!isOfDeployment(assignment)) return this.#encodeShell(assignment);
    const deployment = store.view.deployments.get(assignment.workload.deploymentId)?.value;
    if (deployment === undefined) {
      log.error({ assignmentId: assignment.id }, "an assignment names a deployment that does not exist");
      return [];
    }
    try {
      return [encodeAssignment(assignment, deployment, openEnv(secrets, deployment))];
    } catch (error) {
      log.error({ err: error, deploymentId: deployment.id }, "the environment of a deployment cannot be opened");
      return [];
    }
  }

  #encodeBuild(assignment: BuildAssignment): WireAssignment[] {
    const { store } = this.#context;
    const build = store.view.builds.get(assignment.workload.buildId)?.value;
    return build === undefined ? [] : [encodeBuildAssignment(assignment, build, store.epoch)];
  }

  #encodeShell(assignment: Assignment): WireAssignment[] {
    const { workload } = assignment;
    if (workload.kind !== "shell") return [];
    const { store, shellEgress } = this.#context;
    const shell = store.view.shells.get(workload.shellId)?.value;
    return shell === undefined ? [] : [encodeShellAssignment(assignment, shell, workload.purpose, shellEgress)];
  }

  #of(nodeId: string): Map<string, Assignment> {
    const known = this.#byNode.get(nodeId);
    if (known !== undefined) return known;
    const assignments = new Map<string, Assignment>();
    this.#byNode.set(nodeId, assignments);
    return assignments;
  }
}

function isUnreadable(view: Pick<View, "isUnreadable">, { workload }: Assignment): boolean {
  switch (workload.kind) {
    case "deployment":
      return view.isUnreadable("deployments", workload.deploymentId);
    case "shell":
      return view.isUnreadable("shells", workload.shellId);
    case "build":
      return view.isUnreadable("builds", workload.buildId);
  }
}

function encodeAssignment(
  assignment: DeploymentAssignment,
  deployment: Deployment,
  env: Readonly<Record<string, string>>,
): WireAssignment {
  const { resources, limits, verifierImage, volume } = deployment;
  return {
    assignmentId: assignment.id,
    workload: {
      $case: "deployment",
      value: {
        deploymentId: deployment.id,
        serviceId: assignment.workload.serviceId,
        teamId: assignment.teamId,
        image: deployment.image,
        env: { ...env },
        concurrency: limits.concurrency,
        startTimeoutMs: limits.budgets.startMs,
        inputBytesMax: BigInt(LARGE_INPUT_BYTES_MAX),
        ...(verifierImage === null ? {} : { verifierImage }),
        ...(volume === null ? {} : { volume: encodeVolume(volume) }),
      },
    },
    gpuUuids: [...assignment.gpuUuids],
    resources: {
      cpuMillis: resources.cpuMillis,
      memoryBytes: BigInt(resources.memoryBytes),
      pids: resources.pids,
      tmpBytes: BigInt(resources.tmpBytes),
    },
  };
}

function encodeVolume({ id, manifestSha256, manifestBytes }: DeployedVolume): WireVolume {
  return { volumeId: id, manifestSha256, manifestBytes: BigInt(manifestBytes) };
}
