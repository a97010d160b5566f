/**
 * A client that creates, cancels and reads tasks at coordinators over the simulated network, and records each response. It
 * calls what the endpoints call, without HTTP.
 */
import { type AccessKey, newAccessKey } from "@elastic/coordinator/domain/access-key.ts";
import type { Task } from "@elastic/coordinator/domain/task.ts";
import { QuotaBook } from "@elastic/coordinator/http/limits/quota-book.ts";
import { Problem } from "@elastic/coordinator/http/problems/problem.ts";
import { type AcceptDeps, acceptTask } from "@elastic/coordinator/http/tasks/accept-task.ts";
import { cancelOne } from "@elastic/coordinator/http/tasks/cancel-one.ts";
import { findTask } from "@elastic/coordinator/http/tasks/find-task.ts";
import { taskText } from "@elastic/coordinator/public/task-record.ts";
import type { ClientEvent } from "../cluster/checker/client-history.ts";
import type { Behaviour } from "./attempt-input.ts";
import type { SimulatedCoordinator } from "./coordinator-process.ts";
import type { Network } from "./network.ts";
import { TEAM, USER } from "./simulated-ids.ts";
import { Process } from "./world.ts";

const GIVES_UP_MS = 10_000;
const SHOWN = { resultUrl: null, resultOmitted: false, resultExpired: false, progress: null, waiting: null };

const KEY: AccessKey = newAccessKey({
  id: "simulated",
  name: "simulated",
  userId: USER,
  teamId: null,
  defaultTeamId: TEAM,
  scopes: ["tasks:read", "tasks:write"],
  secretSha256: "0".repeat(64),
  createdAt: 0,
  expiresAt: null,
});

export class TaskClient {
  readonly history: ClientEvent[] = [];
  /** By the number of the create that made them; null while it is not known. */
  readonly created = new Map<number, string>();
  /** By task. */
  readonly #seenAtMs = new Map<string, number>();
  readonly #process: Process;
  readonly #network: Network;
  readonly #coordinator: (host: string) => SimulatedCoordinator | null;
  readonly #serviceId: string;

  constructor(network: Network, serviceId: string, coordinator: (host: string) => SimulatedCoordinator | null) {
    this.#process = new Process(network.world, { host: "client", name: "client" });
    this.#network = network;
    this.#serviceId = serviceId;
    this.#coordinator = coordinator;
  }

  create(call: number, host: string, behaviour: Behaviour): void {
    const input = JSON.stringify(behaviour);
    this.history.push({ kind: "create-begun", call, atMs: this.#nowMs, input });
    this.#call(host, "create", (at) => create(at, this.#serviceId, Buffer.from(input)), {
      answered: (task) => {
        this.created.set(call, task.id);
        this.history.push({ kind: "created", call, atMs: this.#nowMs, taskId: task.id });
      },
      failed: (error) => {
        if (error instanceof Problem && error.status < 500) {
          this.history.push({ kind: "create-refused", call, atMs: this.#nowMs, status: error.status });
        } else this.history.push({ kind: "create-unknown", call, atMs: this.#nowMs, error: String(error) });
      },
    });
  }

  /** The response has the task as it has ended. */
  cancel(call: number, host: string): void {
    const id = this.created.get(call);
    if (id === undefined) return;
    const cancel = async (at: SimulatedCoordinator) => {
      const read = () => findTask(at.store, KEY, id);
      return await shown(at, await cancelOne(at, await read(), read, "cancel"));
    };
    const begunAtMs = this.#nowMs;
    this.#call(host, "cancel", cancel, { answered: (event) => this.#see(event, begunAtMs), failed: () => undefined });
  }

  read(call: number, host: string): void {
    const id = this.created.get(call);
    if (id === undefined) return;
    const begunAtMs = this.#nowMs;
    const read = async (at: SimulatedCoordinator) => await shown(at, (await findTask(at.store, KEY, id)).value);
    this.#call(host, "read", read, {
      answered: (event) => this.#see(event, begunAtMs),
      failed: (error) => {
        if (error instanceof Problem && error.status === 404) this.missing.push(id);
      },
    });
  }

  /** Acknowledged, and later not found. */
  readonly missing: string[] = [];

  get #nowMs(): number {
    return this.#process.world.nowMs;
  }

  /** What was requested before another response came may be older than that, and shows nothing. */
  #see(event: Omit<Extract<ClientEvent, { kind: "seen" }>, "kind" | "atMs">, begunAtMs: number): void {
    if (begunAtMs < (this.#seenAtMs.get(event.taskId) ?? 0)) return;
    this.#seenAtMs.set(event.taskId, this.#nowMs);
    this.history.push({ kind: "seen", atMs: this.#nowMs, ...event });
  }

  #call<T>(
    host: string,
    label: string,
    handle: (at: SimulatedCoordinator) => Promise<T>,
    { answered, failed }: { readonly answered: (value: T) => void; readonly failed: (error: unknown) => void },
  ): void {
    const { world } = this.#process;
    let isOver = false;
    const once = (settle: () => void) => () => {
      if (isOver) return;
      isOver = true;
      late.isCancelled = true;
      settle();
    };
    const late = world.in(
      this.#process,
      GIVES_UP_MS,
      "gives up",
      once(() => failed(new Error("no response came"))),
    );
    const at = this.#coordinator(host);
    if (at === null || this.#network.isBlocked("client", host)) {
      world.in(
        this.#process,
        5,
        "refused",
        once(() => failed(new Error("connection refused"))),
      );
      return;
    }
    const respond = (settle: () => void) => {
      if (this.#network.isBlocked(host, "client")) return;
      world.in(this.#process, this.#network.latencyMs(host, "client"), "response", once(settle));
    };
    world.in(at.process, this.#network.latencyMs("client", host), label, () => {
      void handle(at).then(
        (value) => respond(() => answered(value)),
        (error: unknown) => respond(() => failed(error)),
      );
    });
  }
}

async function create(at: SimulatedCoordinator, serviceId: string, input: Buffer): Promise<Task> {
  const service = at.store.view.services.get(serviceId);
  if (service === undefined) throw new Error("the view has no service yet");
  const deps = { ...at, quotas: new QuotaBook() } as unknown as AcceptDeps;
  const { task } = await acceptTask(deps, {
    key: KEY,
    service,
    requested: { source: { kind: "inline", bytes: input }, priority: 0, budgets: {} },
    requestId: "create",
    traceparent: undefined,
    idempotencyKey: null,
    signal: () => new AbortController().signal,
  });
  return task;
}

/** As a client reads its JSON. */
async function shown(
  { store }: SimulatedCoordinator,
  task: Task,
): Promise<Omit<Extract<ClientEvent, { kind: "seen" }>, "kind" | "atMs">> {
  const result = task.phase.kind === "succeeded" ? await store.bytes("result", task.id) : null;
  const { beforeInput, beforeResult, end } = taskText(task, SHOWN);
  const text = `${beforeInput}null${beforeResult}${JSON.stringify(result?.toString() ?? null)}${end}`;
  const { state, phase, result: seen, created, started, finished } = JSON.parse(text) as Record<string, string | null>;
  return {
    taskId: task.id,
    state: state ?? "",
    phase: phase ?? "",
    result: seen ?? null,
    created: created ?? "",
    started: started ?? null,
    finished: finished ?? null,
  };
}
