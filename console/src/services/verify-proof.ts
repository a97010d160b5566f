/**
 * Has a proof checked by the prover's separate verifier, which is a service of the same team: it receives the bytes that the
 * page shows, and its response is shown as it is.
 */
import { QueryObserver } from "@tanstack/react-query";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { queryClient } from "../session/query-client.ts";
import { chooseVerifier } from "./choose-verifier.ts";
import { DEMO_IMAGE, DEMO_VERIFIER_IMAGE } from "./demo-prover.ts";
import { deployBuiltin, deployInto } from "./deploy-builtin.ts";
import { postTask } from "./post-task.ts";
import { serviceQuery } from "./services-query.ts";

const WAIT_SECONDS = 60;
/** Live updates come sooner, but only of the active team. */
const REFRESH_MS = 5_000;

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

/** Whether an image is the verifier of a builtin prover. */
export function isVerifier(image: string): boolean {
  return Object.values(VERIFIERS).includes(image);
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

/** The service that runs the verifier in the team; deployed where there is none, so it may not be ready yet. */
export async function findVerifier(image: string, teamId: string): Promise<string> {
  const headers = { "x-team": teamId };
  const { items } = await allPages((query) => dataOf(api.GET("/v1/services", { params: { query }, headers })));
  const choice = chooseVerifier(items, image);
  if (choice.kind === "create") return await deployBuiltin(choice.name, image, teamId);
  if (choice.kind === "deploy") await deployInto(choice.serviceId, image);
  return choice.serviceId;
}

/** Ends when the service is ready. Throws where it failed, or once the signal is aborted. */
export async function becomesReady(id: string, signal: AbortSignal): Promise<void> {
  // What was read before the deployment may say that an earlier one failed.
  await queryClient.fetchQuery({ ...serviceQuery(id), staleTime: 0 });
  signal.throwIfAborted();
  const observer = new QueryObserver(queryClient, { ...serviceQuery(id), refetchInterval: REFRESH_MS });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = ({ data, error }: ReturnType<typeof observer.getCurrentResult>) => {
    if (data?.state === "Ready") resolve();
    else if (data?.failure) reject(new Error(`The verifier did not start: ${data.failure.message}`));
    else if (error !== null) reject(error);
  };
  const stop = observer.subscribe(look);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  look(observer.getCurrentResult());
  await promise.finally(stop);
}
