import { expect, test } from "vitest";
import { isNodeName, type JoinToken, judgeToken, usedToken } from "./join-token.ts";

const token: JoinToken = {
  id: "t",
  nodeName: "gpu-7",
  secretSha256: "",
  creatorId: null,
  createdAt: 0,
  expiresAt: 100,
  use: null,
};
const asker = { nodeName: "gpu-7", publicKeySha256: "aa" };
const use = { ...asker, at: 5, certificatePem: "the certificate", notAfter: 1000 };
const refused = (why: string) => ({ kind: "refused", why });

test("a token works once, and again for the key that it worked for", () => {
  expect(judgeToken(token, asker, 5)).toEqual({ kind: "first" });
  expect(judgeToken(usedToken(token, use), asker, 6)).toEqual({ kind: "again", use });
  expect(judgeToken(usedToken(token, use), { ...asker, publicKeySha256: "bb" }, 6)).toEqual(refused("used"));
});

test("it ends for everyone at once", () => {
  expect(judgeToken(token, asker, 99)).toEqual({ kind: "first" });
  expect(judgeToken(token, asker, 100)).toEqual(refused("expired"));
  expect(judgeToken(usedToken(token, use), asker, 100)).toEqual(refused("expired"));
});

test("it is for its node's name, and one without a name is for the first that it is used for", () => {
  expect(judgeToken(token, { ...asker, nodeName: "gpu-8" }, 5)).toEqual(refused("other_node"));
  const free = { ...token, nodeName: null };
  expect(judgeToken(free, { ...asker, nodeName: "gpu-8" }, 5)).toEqual({ kind: "first" });
  expect(judgeToken(usedToken(free, use), { ...asker, nodeName: "gpu-8" }, 5)).toEqual(refused("other_node"));
});

test("node names go into certificates, so they are plain", () => {
  for (const name of ["gpu-7", "a", "rack.1_b", "0".repeat(64)]) expect(isNodeName(name)).toBe(true);
  for (const name of ["", "-a", "a b", "a/b", "é", "0".repeat(65), "a\n"]) expect(isNodeName(name)).toBe(false);
});
