/** The API on a separate thread, so that what it costs is measured apart from who calls it. Started by api-apart.ts. */
import { parentPort } from "node:worker_threads";
import { openEgress } from "../../egress/egress.ts";
import { startHttp } from "../server.ts";
import { addReadyService, startHttpFixture } from "./http-fixture.ts";
import { resolveByName } from "./resolve-by-name.ts";
import { TurnMeter } from "./turn-meter.ts";

export type Question = "begin" | "end" | "stall" | "stop";

const STALL_MS = 100;

const fixture = await startHttpFixture();
// As in earnest: nothing of this machine is reached by a URL that a user gave.
const options = { ...fixture.options, egress: openEgress({ allow: [] }), resolveImage: resolveByName };
const server = await startHttp(options);
const service = await addReadyService(fixture.store, fixture.own);
const meter = new TurnMeter();

parentPort?.on("message", async (question: Question) => {
  if (question === "begin") meter.begin();
  if (question === "stall") stall();
  if (question === "stop") {
    await server.stop();
    await fixture.close();
  }
  parentPort?.postMessage(question === "end" ? await meter.end() : 0);
});
parentPort?.postMessage({ url: server.url, key: fixture.own.key, serviceId: service.id });

/** What no request may cause. */
function stall(): void {
  const cpu = process.threadCpuUsage();
  while (process.threadCpuUsage(cpu).user < STALL_MS * 1000);
}
