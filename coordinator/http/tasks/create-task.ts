/**
 * POST /v1/services/:id. The input is cut out of the body as bytes, kept, and only then acknowledged: small ones in
 * the record's own commit, large ones as a blob before it.
 */
import { hash } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";
import type { FastifyRequest } from "fastify";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { INPUT_BYTES_MAX, SMALL_BYTES_MAX } from "../../domain/limits.ts";
import { type Service, servingDeploymentId } from "../../domain/service.ts";
import { type BytesRef, queue, type Task } from "../../domain/task.ts";
import { create, inputBytes, unchanged } from "../../store/change.ts";
import type { Versioned } from "../../store/store.ts";
import type { App } from "../app.ts";
import { sentence } from "../body/raw-json.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { readByHand } from "../read-by-hand.ts";
import { findService, readService } from "../services/find-service.ts";
import { isOneSlice, passGate, passGateNow } from "../wire/json-gate.ts";
import { slices } from "../wire/json-text.ts";
import { createTaskSchema } from "./create-task-schema.ts";
import { sendTask } from "./send-task.ts";

/** Room for the keys beside `input`, which are ignored. */
const BODY_BYTES_MAX = INPUT_BYTES_MAX + 64 * 1024;
const OPEN_TASKS_PER_TEAM_MAX = 100_000;
const COMMIT_TRIES = 5;
const BLOB_SLICE_BYTES = 256 * 1024;

export function createTask(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/services/:id",
    schema: createTaskSchema,
    ...readByHand,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: requireKey(deps, "tasks:write"),
    preParsing: async (request, reply) => {
      const declared = Number(request.headers["content-length"] ?? BODY_BYTES_MAX);
      const give = deps.bodyBudget.take(keyOf(request).id, Math.min(declared, BODY_BYTES_MAX));
      if (give !== null) reply.raw.once("close", give);
    },
    handler: async (request, reply) => {
      const { id: serviceId } = request.params as { id: string };
      const key = keyOf(request);
      const service = await findService(deps.store, key, serviceId);
      const input = await cutInput(request);
      const task = await accept(deps, key, service, input, request.id);
      reply.header("location", `${deps.publicUrl()}/v1/tasks/${task.id}`);
      return sendTask(deps, reply, { status: 201, task, input });
    },
  });
}

/** The value of `input`, byte for byte. */
async function cutInput(request: FastifyRequest): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const outcome = isOneSlice(body) ? passGateNow(body, "input") : await passGate(body, "input");
  if (outcome.kind === "refused") throw new Problem(outcome.code, sentence(outcome.detail));
  if (outcome.found === null) throw new Problem("input_missing", "The body has no `input`.");
  const { start, end } = outcome.found;
  if (end - start > INPUT_BYTES_MAX) {
    throw new Problem("input_too_large", `The input has ${end - start} bytes; at most ${INPUT_BYTES_MAX} are taken.`);
  }
  return body.subarray(start, end);
}

/** Durable when it resolves. */
async function accept(
  deps: HttpDeps,
  key: AccessKey,
  seen: Versioned<Service>,
  input: Buffer,
  requestId: string,
): Promise<Task> {
  refuseFullQueue(deps, seen.value.teamId);
  const kept = await keepInput(deps, seen.value.teamId, input);
  let service = seen;
  for (let tries = 0; tries < COMMIT_TRIES; tries++) {
    if (tries > 0 || servingDeploymentId(service.value) === null) {
      service = await readService(deps.store, key, service.value.id);
    }
    const task = await newTask(deps, service.value, { creatorId: key.userId, requestId, input: kept });
    const bytes = kept.where === "store" ? [inputBytes(task.id, input)] : [];
    const outcome = await deps.store.commit([create("tasks", task), unchanged("services", service), ...bytes]);
    if (outcome.kind === "conflict") continue;
    deps.metrics.tasks.created(input.length);
    deps.log.info(
      { requestId, taskId: task.id, serviceId: service.value.id, inputBytes: input.length },
      "task created",
    );
    return task;
  }
  throw new Problem("overloaded", "The service is being changed; send the task again in a moment.");
}

function refuseFullQueue({ store }: HttpDeps, teamId: string): void {
  const { total } = store.view.tasks.list({ teamId, state: "PENDING" }, { offset: 0, limit: 0 });
  if (total < OPEN_TASKS_PER_TEAM_MAX) return;
  throw new Problem(
    "quota_exceeded",
    `The team has ${total} open tasks, at most ${OPEN_TASKS_PER_TEAM_MAX} are taken.`,
  );
}

async function keepInput(deps: HttpDeps, teamId: string, input: Buffer): Promise<BytesRef> {
  if (input.length <= SMALL_BYTES_MAX) {
    return { bytes: input.length, sha256: hash("sha256", input, "hex"), where: "store" };
  }
  const source = (async function* () {
    yield* slices(input, BLOB_SLICE_BYTES);
  })();
  return { ...(await deps.blobs.put(teamId, source, { bytesMax: INPUT_BYTES_MAX })), where: "blob" };
}

async function newTask(
  { store, clock }: HttpDeps,
  service: Service,
  given: Pick<Task, "creatorId" | "requestId" | "input">,
): Promise<Task> {
  const { limits } = await servingDeployment(store, service);
  const now = clock.now();
  return queue({
    id: newId(now),
    teamId: service.teamId,
    serviceId: service.id,
    serviceName: service.name,
    createdAt: now,
    budgets: limits.budgets,
    proverRetries: limits.proverRetries,
    ...given,
  });
}

async function servingDeployment(store: HttpDeps["store"], service: Service): Promise<Deployment> {
  const id = servingDeploymentId(service);
  if (id === null) throw notReady(service);
  const deployment = store.view.deployments.get(id) ?? (await store.get("deployments", id));
  if (deployment === null) throw new Error(`deployment ${id} of service ${service.id} is not there`);
  return deployment.value;
}

function notReady({ state }: Service): Problem {
  if (state.kind === "failed") {
    return new Problem("service_not_ready", `The service failed to start: ${state.reason}: ${state.message}`);
  }
  const why = state.kind === "deleted" ? "was deleted" : "has not been ready yet";
  return new Problem("service_not_ready", `The service ${why}.`);
}
