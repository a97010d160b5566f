/** Does the jobs: nothing but returning when each began. */
import { Worker } from "bullmq";
import { nowUs } from "../../measure/now-us.ts";
import { readSettings } from "../../measure/settings.ts";
import type { BullmqFastifySettings } from "./settings.ts";

const { redisPort, queue, concurrency } = readSettings<BullmqFastifySettings>();
const worker = new Worker(queue, async () => String(nowUs()), {
  connection: { host: "127.0.0.1", port: redisPort },
  concurrency,
});
worker.on("error", (error) => console.error(error));
process.on("disconnect", () => process.exit());
await worker.waitUntilReady();
process.send?.({});
