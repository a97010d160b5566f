/** Waits until nothing is left on a node, showing what is, or says why that will not be. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import { getNode } from "../api/nodes.ts";
import type { NodeRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { waiting } from "../errors/stopped-waiting.ts";
import { leftText } from "../output/node-text.ts";

const POLL_MS = 1_000;

type Surroundings = Pick<Context, "printer" | "signal">;

/** `draining` is the node as the request for its drain returned it. Throws where the drain ends otherwise. */
export async function awaitDrained(context: Surroundings, caller: Caller, draining: NodeRecord): Promise<NodeRecord> {
  const { node_id: name } = draining;
  return await waiting(pollUntilDrained(context, caller, draining), {
    what: "The drain",
    next: `\`elastic node info ${name}\` shows what is left; \`elastic node resume ${name}\` ends it.`,
  });
}

async function pollUntilDrained(context: Surroundings, caller: Caller, draining: NodeRecord): Promise<NodeRecord> {
  const startedAt = performance.now();
  let node = draining;
  for (;;) {
    if (node.state === "DRAINED") return node;
    if (node.state === "GONE") throw new CliError("The node was evicted meanwhile.", { code: "node_gone" });
    if (node.drain === null) throw new CliError("Somebody resumed the node: it accepts work.", { code: "resumed" });
    context.printer.progress(stageOf(node), Math.floor((performance.now() - startedAt) / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
    node = await getNode(caller, draining.node_id);
  }
}

function stageOf(node: NodeRecord): string {
  if (node.state !== "DRAINING") return `${node.state}: waiting for the machine to come back`;
  const isOfShells = node.shells > 0 && !node.drain?.stop_shells;
  return `Draining, left: ${leftText(node)}${isOfShells ? " (shells run until they are stopped: --stop-shells)" : ""}`;
}
