/** `POST /tasks`: checks the key and the body, adds a job that is on disk, and responds once the worker has ended it. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Queue, QueueEvents } from "bullmq";
import fastify from "fastify";
import { readSettings } from "../../measure/settings.ts";
import type { BullmqFastifySettings } from "./settings.ts";

interface TaskRequest {
  readonly input: { readonly private_input: readonly number[]; readonly public_input: string };
}

const BODY = {
  type: "object",
  required: ["input"],
  properties: {
    input: {
      type: "object",
      required: ["private_input", "public_input"],
      properties: {
        private_input: { type: "array", items: { type: "integer" } },
        public_input: { type: "string" },
      },
    },
  },
};
const text = { type: "string" };
const TASK = {
  type: "object",
  properties: {
    task_id: text,
    state: text,
    created: text,
    started: text,
    finished: text,
    input: BODY.properties.input,
    result: { type: ["string", "null"] },
    error: { type: ["string", "null"] },
  },
};
/** As for inputs of our service. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;
const WAIT_MS = 60_000;
/** A job that is removed at once cannot be waited for; a result is there to be read again, as with our service. */
const RETAINED = { age: 3600 };

const settings = readSettings<BullmqFastifySettings>();
const connection = { host: "127.0.0.1", port: settings.redisPort };
const queues = Array.from({ length: settings.connections }, () => new Queue(settings.queue, { connection }));
const events = new QueueEvents(settings.queue, { connection });
await Promise.all([...queues, events].map((part) => part.waitUntilReady()));
// Each request that waits for a job listens for the end of its queue, too.
for (const queue of queues) queue.setMaxListeners(0);

const accepted = digest(settings.key);
let added = 0;

const app = fastify({ logger: false, bodyLimit: BODY_BYTES_MAX });
app.addHook("onRequest", async (request, reply) => {
  const key = request.headers["x-api-key"];
  if (typeof key === "string" && timingSafeEqual(digest(key), accepted)) return;
  await reply.code(401).send({ detail: "no valid access key" });
});
app.post<{ Body: TaskRequest }>(
  "/tasks",
  { schema: { body: BODY, response: { 201: TASK } } },
  async (request, reply) => {
    added += 1;
    const queue = queues[added % queues.length];
    const job = await queue?.add("prove", request.body.input, { removeOnComplete: RETAINED, removeOnFail: RETAINED });
    if (job === undefined) throw new Error("no queue");
    const result: string = await job.waitUntilFinished(events, WAIT_MS);
    return reply.code(201).send({
      task_id: job.id,
      state: "SUCCESS",
      created: new Date(job.timestamp).toISOString(),
      started: new Date(Number(result) / 1000).toISOString(),
      finished: new Date().toISOString(),
      input: request.body.input,
      result,
      error: null,
    });
  },
);
await app.listen({ host: "127.0.0.1", port: 0 });

process.on("disconnect", () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });

/** What is compared and stored of a key. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
