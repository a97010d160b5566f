/** Generated requests to every operation of the document: what must hold of every response, whatever was sent. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { type ApiDocument, type Described, documentOf, operationsOf } from "./api-document.ts";
import { expectEffects } from "./effects.ts";
import { startEmptyRegistry } from "./empty-registry.ts";
import { addTenant, startHttpFixture } from "./http-fixture.ts";
import { startInstantProver } from "./instant-prover.ts";
import { requestsTo } from "./request-arbitrary.ts";
import { resolveByName } from "./resolve-by-name.ts";
import { type Sender, sendGenerated } from "./send-generated.ts";
import { tenantThings } from "./tenant-things.ts";

export interface GeneratedRun extends AsyncDisposable {
  readonly document: ApiDocument;
  readonly operations: readonly Described[];
  /** A new user with one of each thing; another team has the same. */
  sender(): Promise<Sender>;
  /** Throws with the smallest request found whose response is not as it must be. */
  check(described: Described, runs: Runs): Promise<void>;
}

interface Runs {
  readonly seed: number;
  readonly numRuns: number;
}

export async function startGeneratedRun(): Promise<GeneratedRun> {
  const registry = await startEmptyRegistry();
  const api = await startHttpFixture(undefined, { registry: registry.own });
  const inputs = createServer((_request, response) => response.end('{"n":1}'));
  await new Promise<void>((resolve) => inputs.listen(0, "127.0.0.1", resolve));
  const inputUrl = `http://127.0.0.1:${(inputs.address() as AddressInfo).port}/`;
  const proved = new Set<string>();
  const stopProver = startInstantProver(api, proved);
  api.resolveImage = resolveByName;
  const other = await tenantThings(api, api.other);
  const document = await documentOf(api.url);
  /** Of an earlier check: what it has is as it was made. Making one takes thirty requests. */
  let unchanged: Sender | null = null;
  const run: GeneratedRun = {
    document,
    operations: operationsOf(document),
    async sender() {
      const caller = await addTenant(api.store, "caller");
      const own = { ...(await tenantThings(api, caller)), inputs: inputUrl };
      proved.add(caller.teamId);
      return { url: api.url, key: caller.key, own, other };
    },
    async check(described, runs) {
      const sender = unchanged ?? (await run.sender());
      unchanged = null;
      unchanged = await check(run, sender, described, runs);
    },
    [Symbol.asyncDispose]: async () => {
      stopProver();
      await api.close();
      inputs.close();
      registry.close();
    },
  };
  return run;
}

/** Returns the sender where no request can have changed what it has. */
async function check(run: GeneratedRun, first: Sender, described: Described, runs: Runs): Promise<Sender | null> {
  let sender = first;
  let isChanged = false;
  const property = fc.asyncProperty(requestsTo(run.document, described), async (request) => {
    const { response, path } = await sendGenerated(sender, described, request);
    if (response.status >= 500) throw new Error(`${response.status} ${response.text}`);
    isChanged ||= mayHaveChanged(request.method, response.status);
    if (request.method !== described.method) return;
    await expectEffects({ url: sender.url, key: sender.key, described, path, things: sender.own, response });
    // Nothing is left to delete.
    if (described.method === "DELETE" && response.status === 204) sender = await run.sender();
  });
  await fc.assert(property, runs);
  return isChanged ? null : sender;
}

/** A login that is followed changes something, by GET. */
function mayHaveChanged(method: string, status: number): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return status < 400 && !(isRead && status < 300);
}
