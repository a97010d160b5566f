import { expect, test } from "vitest";
import { loadConfig } from "./config.ts";
import { etcdAccessOf } from "./etcd-access.ts";

const TLS = { ELASTIC_ETCD_CA: "ca", ELASTIC_ETCD_CERT: "cert", ELASTIC_ETCD_KEY: "key" };
const SECURE = { ELASTIC_ROLES: "http", ELASTIC_ETCD: "https://a:2379,https://b:2379" };

function load(env: Readonly<Record<string, string>>) {
  return etcdAccessOf(loadConfig({ ...SECURE, ...env }, {}));
}

test("reaches etcd with certificates, with a user, or with both", () => {
  const none = { ca: null, cert: null, key: null, passwordFile: null };
  expect(load({})).toEqual({ files: none, user: null });
  expect(load({ ...TLS, ELASTIC_ETCD_USER: "me", ELASTIC_ETCD_PASSWORD_FILE: "word" })).toEqual({
    files: { ca: "ca", cert: "cert", key: "key", passwordFile: "word" },
    user: "me",
  });
  const local = { ELASTIC_ETCD: "http://127.0.0.1:2379", ELASTIC_ETCD_USER: "me", ELASTIC_ETCD_PASSWORD_FILE: "word" };
  expect(load(local).user).toBe("me");
});

test("rejects settings that do not go together", () => {
  expect(() => load({ ELASTIC_ETCD_CERT: "cert" })).toThrow(/ELASTIC_ETCD_KEY .* is required together with/);
  expect(() => load({ ELASTIC_ETCD_USER: "me" })).toThrow(/ELASTIC_ETCD_PASSWORD_FILE .* is required together with/);
  expect(() => load({ ELASTIC_ETCD: "http://a:1,https://b:1" })).toThrow(/ELASTIC_ETCD .* mixes http/);
  const plain = { ELASTIC_ETCD: "http://a:1" };
  expect(() => load({ ...plain, ELASTIC_ETCD_CA: "ca" })).toThrow(/ELASTIC_ETCD_CA .* is of no use with http:\/\/a:1/);
  const user = { ELASTIC_ETCD_USER: "me", ELASTIC_ETCD_PASSWORD_FILE: "word" };
  expect(() => load({ ...plain, ...user })).toThrow(/ELASTIC_ETCD_USER .* would send a password without TLS/);
});
