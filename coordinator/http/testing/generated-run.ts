/** Generated requests to every operation of the document: what must hold of every answer, whatever was sent. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { digestResolver } from "../../registry/resolve-digest.ts";
import type { ResolveImage } from "../../registry/resolve-image.ts";
import { type ApiDocument, type Described, documentOf, operationsOf } from "./api-document.ts";
import { expectEffects } from "./effects.ts";
import { addTenant, type HttpFixture, startHttpFixture } from "./http-fixture.ts";
import { startInstantProver } from "./instant-prover.ts";
import { requestsTo } from "./request-arbitrary.ts";
import { type Sender, sendGenerated } from "./send-generated.ts";
import { tenantThings } from "./tenant-things.ts";

export interface GeneratedRun extends AsyncDisposable {
  readonly document: ApiDocument;
  readonly operations: readonly Described[];
  /** A user with one of each thing, and another team that has the same. */
  sender(): Promise<Sender>;
  /** Throws with the smallest request found that is not answered as it must be. */
  check(described: Described, runs: Runs): Promise<void>;
}

export interface Runs {
  readonly seed: number;
  readonly numRuns: number;
}

export async function startGeneratedRun(): Promise<GeneratedRun> {
  const api = await startHttpFixture();
  const inputs = createServer((_request, response) => response.end('{"n":1}'));
  await new Promise<void>((resolve) => inputs.listen(0, "127.0.0.1", resolve));
  const inputUrl = `http://127.0.0.1:${(inputs.address() as AddressInfo).port}/`;
  const proved = new Set<string>();
  const stopProver = startInstantProver(api, proved);
  api.resolveImage = resolveImage;
  const document = await documentOf(api.url);
  const run: GeneratedRun = {
    document,
    operations: operationsOf(document),
    sender: () => newSender(api, inputUrl, proved),
    check: (described, runs) => check(run, described, runs),
    [Symbol.asyncDispose]: async () => {
      stopProver();
      await api.close();
      inputs.close();
    },
  };
  return run;
}

async function newSender(api: HttpFixture, inputUrl: string, proved: Set<string>): Promise<Sender> {
  const [caller, stranger] = [await addTenant(api.store, "caller"), await addTenant(api.store, "stranger")];
  const own = { ...(await tenantThings(api, caller)), inputs: inputUrl };
  const other = await tenantThings(api, stranger);
  proved.add(caller.teamId);
  return { url: api.url, key: caller.key, own, other };
}

async function check(run: GeneratedRun, described: Described, runs: Runs): Promise<void> {
  const deletes = described.method === "DELETE";
  let sender = await run.sender();
  const property = fc.asyncProperty(requestsTo(run.document, described), async (request) => {
    // Nothing is left of what was deleted.
    if (deletes) sender = await run.sender();
    const { answer, path } = await sendGenerated(sender, described, request);
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
    if (request.method !== described.method) return;
    await expectEffects({ url: sender.url, key: sender.key, described, path, things: sender.own, answer });
  });
  await fc.assert(property, runs);
}

/** Names are read as they are in earnest; what is well named is found. */
const known = digestResolver({ registries: [], own: null, builtins: ["noop"] });
const resolveImage: ResolveImage = async (image, teamId) => {
  if (!/^registry:1\/[a-z]+(:[a-z0-9]+)?$/.test(image)) return await known(image, teamId);
  return { kind: "resolved", image: `${image.split(":").slice(0, 2).join(":")}@sha256:${"1".repeat(64)}`, tag: null };
};
