import { KVClient, TxnRequest } from "@elastic/proto/gen/etcd/kv.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { credentials, Metadata, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EtcdLogin, tokenCredentials } from "./etcd-login.ts";

const CALL_TIMEOUT_MS = 200;

let etcd: Etcd;
let client: KVClient;

beforeAll(async () => {
  etcd = await startEtcd();
  client = new KVClient(new URL(etcd.endpoint).host, credentials.createInsecure());
}, 60_000);
afterAll(async () => {
  client.close();
  await etcd[Symbol.asyncDispose]();
});

/** The status of a call whose token comes from such a login. */
async function statusOf(authenticate: () => Promise<string>): Promise<number> {
  const login = new EtcdLogin(() => ({ name: "coordinator", password: "correct horse" }), authenticate);
  const options = { credentials: tokenCredentials(login), deadline: Date.now() + CALL_TIMEOUT_MS };
  return await new Promise((resolve) => {
    client.txn(TxnRequest.create(), new Metadata(), options, (error) => resolve(error?.code ?? status.OK));
  });
}

test("sends the call once there is a token", async () => {
  expect(await statusOf(async () => "token")).toBe(status.OK);
});

test("ends the call by its deadline while the login has no response", async () => {
  expect(await statusOf(() => new Promise(() => undefined))).toBe(status.DEADLINE_EXCEEDED);
});

test("rejects the call where the login was refused", async () => {
  expect(await statusOf(() => Promise.reject(new Error("authentication failed")))).toBe(status.UNAUTHENTICATED);
});
