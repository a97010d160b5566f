/** What an agent logged about its contact with coordinators. */
import { parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import type { Agent } from "../cluster/agent.ts";

const LINES = 2_000;

/** When, by the agent's clock, it logged a line with this text; in order. */
export function loggedAt(agent: Agent, text: string): readonly number[] {
  return agent
    .child()
    .tail(LINES)
    .split("\n")
    .filter((line) => line.includes(text))
    .map((line) => Number(parseJsonLine(line)?.time));
}

/** When it abandoned what it ran, since no coordinator had responded for too long. */
export function abandonedAt(agent: Agent): number | null {
  return loggedAt(agent, "all running attempts are abandoned")[0] ?? null;
}
