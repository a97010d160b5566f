/**
 * The template's own Dockerfile, built on a machine of the fleet as it is pushed to users' repositories and with its own profile:
 * the program in the image proves, and a change of one line compiles nothing of what the prover depends on.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { type BuildFixture, startBuildFixture } from "@elastic/agent/builds/testing/build-fixture.ts";
import { compiledIn } from "@elastic/agent/builds/testing/compiled-in.ts";
import { startChild } from "@elastic/deploy/local/child.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { templateFiles } from "@elastic/deploy/template/template-files.ts";
import { extract } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pushRustBase } from "../cluster/rust-base-image.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { CLAIM, INPUT, WRONG_CLAIM } from "../system/statement.ts";

const GIB = 1024 ** 3;
/** As of the service. */
const LIMITS = { timeoutMs: 1_800_000, memoryBytes: 4 * GIB, pids: 2_048, imageBytes: GIB, logBytes: 16 * 1024 ** 2 };
const PROGRAM = "src/bin/elastic.rs";
const EVENT = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "local", "ce-type": "task" };
const HEADERS = { ...EVENT, "content-type": "application/json" };

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture({ diskBytes: 6 * GIB, cacheBytes: 8 * GIB });
  await pushRustBase(builder.registry, null, { cold: true });
}, 180_000);
afterAll(() => builder.close());

test("builds to a program that proves, and again after a change without its dependencies", async () => {
  const files = new Map(templateFiles(REPOSITORY).map(({ path, text }) => [path, text]));
  const build = () => builder.build([...files], { limits: LIMITS });
  const first = await build();
  expect([first.failure, compiledIn(first)]).toEqual([null, expect.arrayContaining(["halo2-axiom", "poseidon"])]);
  const proof = await proofOf(await programOf(first.image?.digest ?? ""));
  expect(await verifyProof(proof, CLAIM)).toBe(true);
  expect(await verifyProof(proof, WRONG_CLAIM)).toBe(false);

  files.set(PROGRAM, (files.get(PROGRAM) ?? "").replace('"proving"', '"proving it"'));
  const second = await build();
  expect([second.failure, compiledIn(second)]).toEqual([null, ["poseidon"]]);
  expect(second.image?.digest).not.toBe(first.image?.digest);
});

/** The one file of the image, as an engine would unpack it. */
async function programOf(digest: string): Promise<Buffer> {
  const repository = `http://${builder.registry}/v2/${builder.teamId}/prover`;
  const headers = { accept: "application/vnd.oci.image.manifest.v1+json" };
  const manifest = await (await fetch(`${repository}/manifests/${digest}`, { headers })).json();
  const [layer] = (manifest as { readonly layers: readonly { readonly digest: string }[] }).layers;
  const packed = Buffer.from(await (await fetch(`${repository}/blobs/${layer?.digest}`)).arrayBuffer());
  const tar = extract();
  createGunzip()
    .on("error", (error) => tar.destroy(error))
    .end(packed)
    .pipe(tar);
  for await (const entry of tar) if (entry.header.name === "elastic") return await buffer(entry);
  throw new Error("the image has no program");
}

async function proofOf(program: Buffer): Promise<string> {
  using folder = makeWorkFolder();
  const command = join(folder.path, "elastic");
  writeFileSync(command, program, { mode: 0o755 });
  const logFile = join(folder.path, "log");
  const prover = await startChild({ name: "template", command, args: [], env: { PORT: "0" }, logFile });
  try {
    const port = await prover.line((line) => /http:\/\/localhost:(\d+)/.exec(line)?.[1], 30_000);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: HEADERS, body: INPUT });
    return (await response.json()) as string;
  } finally {
    await prover.stop();
  }
}
