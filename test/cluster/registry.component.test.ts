import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startRegistry } from "./registry.ts";

test("a blob that was pushed is still there after kill -9 and a restart on the same port", async () => {
  await using registry = await startRegistry();
  const blob = Buffer.from("layer");
  const digest = `sha256:${createHash("sha256").update(blob).digest("hex")}`;
  const uploads = `http://${registry.host}/v2/test/blobs/uploads/`;
  const begun = await fetch(uploads, { method: "POST" });
  const location = new URL(begun.headers.get("location") ?? "", uploads);
  location.searchParams.set("digest", digest);
  expect((await fetch(location, { method: "PUT", body: blob })).status).toBe(201);
  await registry.kill();
  await registry.start();
  const stored = await fetch(`http://${registry.host}/v2/test/blobs/${digest}`);
  expect(await stored.text()).toBe("layer");
});
