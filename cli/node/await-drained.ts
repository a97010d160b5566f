/** Waits until nothing is left on a node, telling what is, or says why that will not be. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/client.ts";
import { getNode } from "../api/nodes.ts";
import type { NodeRecord } from "../api/records.ts";
import type { Context } from "../context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { stoppedWaiting } from "../errors/stopped-waiting.ts";
import { leftText } from "../output/node-text.ts";

const POLL_MS = 1_000;

export async function awaitDrained(
  context: Pick<Context, "printer" | "signal">,
  caller: Caller,
  asked: NodeRecord,
): Promise<NodeRecord> {
  const startedAt = performance.now();
  let node = asked;
  for (;;) {
    if (node.state === "DRAINED") return node;
    if (node.state === "GONE") throw new CliError("The node was evicted meanwhile.", { code: "node_gone" });
    if (node.drain === null)
      throw new CliError("Somebody took the drain back: the node takes work.", { code: "resumed" });
    context.printer.progress(stageOf(node), Math.floor((performance.now() - startedAt) / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      const next = `\`elastic node info ${asked.node_id}\` shows what is left; \`elastic node resume ${asked.node_id}\` ends it.`;
      throw stoppedWaiting(interrupted(), { what: "The drain", next });
    });
    node = await getNode(caller, asked.node_id);
  }
}

function stageOf(node: NodeRecord): string {
  if (node.state !== "DRAINING") return `${node.state}: waiting for the machine to come back`;
  const isOfShells = node.shells > 0 && !node.drain?.stop_shells;
  return `Draining, left: ${leftText(node)}${isOfShells ? " (shells go on until they are stopped: --stop-shells)" : ""}`;
}
