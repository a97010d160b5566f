/** The public HTTP interface over a store in memory: for clients of it that need no agent, and its document. */
import type { FailureReason } from "@elastic/coordinator/domain/failure.ts";
import type { Speed } from "@elastic/coordinator/domain/node.ts";
import { type RollOutEvent, rollOutEvent, withEvents } from "@elastic/coordinator/domain/roll-out.ts";
import { rolledOut, rollOutFailed, type Service } from "@elastic/coordinator/domain/service.ts";
import { ready } from "@elastic/coordinator/domain/shell.ts";
import { aGpu, aNode, aShellAssignment } from "@elastic/coordinator/domain/testing/records.ts";
import { GATEWAY_KEY, startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { create, remove, replace } from "@elastic/coordinator/store/change.ts";
import { newId } from "@elastic/std/ids.ts";

export interface ApiInMemory extends AsyncDisposable {
  readonly url: string;
  /** Of a team named `team own`. */
  readonly key: string;
  /** Of another user, in a team named `team other`. */
  readonly otherKey: string;
  /** Of the SSH gateway that its shells show. */
  readonly gatewayKey: string;
  /** A service of the same name and team, as there are from before names were unique. Returns its id. */
  addTwin(serviceId: string): Promise<string>;
  /** What images resolve to from now on. */
  deployAs(image: string): void;
  /** Does what the scheduler does when the deployment that comes next to this service has a ready workload. */
  rollOutNext(serviceId: string): Promise<void>;
  /** And when it does not come up. */
  failNext(serviceId: string, message: string): Promise<void>;
  /** Does what scheduler and fleet do to the next task that is created in the service. */
  endNext(serviceId: string, how: { readonly result: string } | { readonly fails: FailureReason }): Promise<void>;
  /** Does what the scheduler does when the shell has come up. */
  shellReady(shellId: string): Promise<void>;
  /** A machine that takes work, with an H100 for each uuid. */
  addNode(id: string, given?: NewNode): Promise<void>;
  /** Does what the scheduler does when it gives a shell, or whatever has that id, a place there. */
  place(shellId: string, nodeId: string, gpuUuids?: readonly string[]): Promise<() => Promise<void>>;
  /** The OpenAPI document. */
  document(): Promise<object>;
}

interface NewNode {
  readonly gpuUuids?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly cpuSpeed?: Speed;
}

export async function startApiInMemory(): Promise<ApiInMemory> {
  const fixture = await startHttpFixture();
  const { store, url } = fixture;
  const onNext = (serviceId: string, become: (service: Service) => Service, last: RollOutEvent): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = store.view.services.subscribe(({ after }) => {
        if (after?.value.id !== serviceId || after.value.nextDeploymentId === null) return;
        stop();
        const end = async (nextId: string): Promise<void> => {
          const rollOut = await store.get("roll-outs", nextId);
          const rolledOut = rollOut && replace("roll-outs", rollOut, withEvents(rollOut.value, [last]));
          await store.commit([replace("services", after, become(after.value)), ...(rolledOut ? [rolledOut] : [])]);
        };
        end(after.value.nextDeploymentId).then(resolve, reject);
      });
    });
  return {
    url,
    key: fixture.own.key,
    otherKey: fixture.other.key,
    gatewayKey: GATEWAY_KEY,
    addTwin: async (serviceId) => {
      const service = await store.get("services", serviceId);
      if (service === null) throw new Error(`there is no service ${serviceId}`);
      const id = newId(Date.now());
      await store.commit([create("services", { ...service.value, id })]);
      return id;
    },
    deployAs: (image) => {
      fixture.image = { kind: "resolved", image, tag: null };
    },
    rollOutNext: (serviceId) => onNext(serviceId, rolledOut, rollOutEvent("ready", Date.now())),
    failNext: (serviceId, message) => {
      const why = { step: "pulling", reason: "image_unavailable", message } as const;
      const failure = { ...why, exitCode: null, logTail: "" };
      return onNext(
        serviceId,
        (service) => rollOutFailed(service, why),
        rollOutEvent("failed", Date.now(), { failure }),
      );
    },
    endNext: (serviceId, how) =>
      new Promise((resolve, reject) => {
        const stop = store.view.tasks.subscribe(({ before, after }) => {
          if (before !== undefined || after?.value.serviceId !== serviceId) return;
          stop();
          const { id } = after.value;
          const end = () =>
            "result" in how ? succeedTask(fixture, id, how.result) : failTask(fixture, id, { reason: how.fails });
          claimTask(fixture, id).then(end).then(resolve, reject);
        });
      }),
    async shellReady(shellId) {
      const read = await store.get("shells", shellId);
      if (read === null) throw new Error(`there is no shell ${shellId}`);
      await store.commit([replace("shells", read, ready(read.value, Date.now()))]);
    },
    async addNode(id, { gpuUuids = [], ...given } = {}) {
      await store.commit([create("nodes", aNode(id, { gpus: gpuUuids.map((uuid) => aGpu(uuid)), ...given }))]);
    },
    async place(shellId, nodeId, gpuUuids = []) {
      const assignment = aShellAssignment({ id: shellId }, nodeId, { id: newId(Date.now()), gpuUuids });
      await store.commit([create("assignments", assignment)]);
      return async () => {
        const read = await store.get("assignments", assignment.id);
        if (read !== null) await store.commit([remove("assignments", read)]);
      };
    },
    async document() {
      const response = await fetch(`${url}/v1/openapi.json`);
      return (await response.json()) as object;
    },
    [Symbol.asyncDispose]: () => fixture.close(),
  };
}
