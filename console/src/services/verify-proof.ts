/**
 * Has a proof checked by the prover's separate verifier, which is a service of the same team: what it is given are the bytes
 * that the page shows, and what it answers is shown as it is.
 */
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { chooseVerifier } from "./choose-verifier.ts";
import { DEMO_IMAGE, DEMO_VERIFIER_IMAGE } from "./demo-prover.ts";
import { deployBuiltin, deployInto } from "./deploy-builtin.ts";
import { postTask } from "./post-task.ts";

const WAIT_SECONDS = 60;
const READY_POLL_MS = 500;

/** The verifier of each builtin prover. */
const VERIFIERS: Readonly<Record<string, string>> = {
  [DEMO_IMAGE]: DEMO_VERIFIER_IMAGE,
  "builtin:ivc-minroot": "builtin:ivc-minroot-verify",
};

export interface Verdict {
  readonly valid: boolean;
  readonly message: string | null;
}

/** The image of the prover's verifier; null where none is known. */
export function verifierOf(image: string | null): string | null {
  return VERIFIERS[image ?? ""] ?? null;
}

/** Throws where the verifier did not come to a verdict. */
export async function verifyProof(verifierId: string, input: string, result: string): Promise<Verdict> {
  const taskId = await postTask(verifierId, `{"input":${input},"result":${JSON.stringify(result)}}`);
  const path = { id: taskId };
  const task = await dataOf(api.GET("/v1/tasks/{id}", { params: { path, query: { wait: WAIT_SECONDS } } }));
  if (task.result === null) throw new Error(task.failure?.message ?? "The verifier has not responded within a minute.");
  const { valid, message = null } = JSON.parse(task.result);
  if (typeof valid !== "boolean") throw new Error("The verifier's response is not a verdict.");
  return { valid, message };
}

/** The service that runs the verifier in the team, once it is ready; deployed where there is none. */
export async function findVerifier(image: string, teamId: string): Promise<string> {
  const { items } = await dataOf(
    api.GET("/v1/services", { params: { query: { size: 100 } }, headers: { "x-team": teamId } }),
  );
  const choice = chooseVerifier(items, image);
  if (choice.kind === "create") return await becomesReady(await deployBuiltin(choice.name, image, teamId));
  if (choice.kind === "deploy") await deployInto(choice.serviceId, image);
  return await becomesReady(choice.serviceId);
}

async function becomesReady(id: string): Promise<string> {
  for (;;) {
    const service = await dataOf(api.GET("/v1/services/{id}", { params: { path: { id } } }));
    if (service.state === "Ready") return id;
    if (service.failure !== null) throw new Error(`The verifier did not start: ${service.failure.message}`);
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}
