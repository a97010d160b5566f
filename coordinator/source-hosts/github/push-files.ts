/** Pushes files as one commit into a repository that was just created, by the API of git's database. */
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { expectBody, type SendAsUser } from "../host-api.ts";
import { commitIdSchema } from "../host-records.ts";
import type { NewFile } from "../source-host.ts";
import type { GithubRepository } from "./github-records.ts";

const MESSAGE = "Add the prover template";

const objectSchema = z.object({ sha: commitIdSchema });
const refSchema = z.object({ object: objectSchema });

export async function pushFiles(
  send: SendAsUser,
  { full_name, default_branch }: Pick<GithubRepository, "full_name" | "default_branch">,
  files: readonly NewFile[],
): Promise<void> {
  const git = `/repos/${full_name}/git`;
  const branch = `heads/${encodeURIComponent(default_branch)}`;
  const post = async (path: string, body: object): Promise<string> =>
    expectBody(await send({ method: "POST", path: git + path, body }), 201, objectSchema).sha;
  const { object: parent } = expectBody(await send({ method: "GET", path: `${git}/ref/${branch}` }), 200, refSchema);
  const entries = [];
  for (const { path, content, isExecutable } of files) {
    const entry = { path, mode: isExecutable ? "100755" : "100644", type: "blob" };
    // Text goes along with the tree; other bytes would not survive that.
    if (isUtf8(content)) entries.push({ ...entry, content: content.toString() });
    else
      entries.push({
        ...entry,
        sha: await post("/blobs", { content: content.toString("base64"), encoding: "base64" }),
      });
  }
  const tree = await post("/trees", { tree: entries });
  const commit = await post("/commits", { message: MESSAGE, tree, parents: [parent.sha] });
  const moved = await send({ method: "PATCH", path: `${git}/refs/${branch}`, body: { sha: commit, force: false } });
  expectBody(moved, 200, refSchema);
}
