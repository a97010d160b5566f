/** The load process of BullMQ behind fastify: the client that our service has. */
import { serveOrders } from "../measure/serve-orders.ts";
import { readSettings } from "../measure/settings.ts";
import { type PostTaskSettings, succeeded, taskPoster } from "./post-task.ts";

const post = taskPoster(readSettings<PostTaskSettings>());

serveOrders({
  /** The worker returns when it was called. */
  task: async () => ({ startedUs: Number(succeeded(await post("/tasks")).result), tasks: 1 }),
});
