import { expect, test } from "vitest";
import { formerVariables, loadConfig } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const TLS = { ELASTIC_TLS_CA: "ca.pem", ELASTIC_TLS_CERT: "cert.pem", ELASTIC_TLS_KEY: "key.pem" };

test("with certificates alone it listens on loopback, in every role", () => {
  const config = loadConfig(TLS, {});
  expect(config).toMatchObject({
    etcd: ["http://127.0.0.1:2379"],
    httpListen: { host: "127.0.0.1", port: 8080 },
    metricsListen: { host: "127.0.0.1", port: 9464 },
    roles: ["http", "fleet", "scheduler", "webhooks", "ssh"],
    registries: [],
    publicUrl: null,
    builtinTestProvers: false,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test("a flag goes before a variable, and an empty variable is none", () => {
  const env = { ...TLS, ELASTIC_HTTP_LISTEN: "0.0.0.0:1", ELASTIC_GRPC_LISTEN: "", ELASTIC_LOG_LEVEL: "warn" };
  expect(loadConfig(env, { httpListen: "[::1]:2" })).toMatchObject({
    httpListen: { host: "::1", port: 2 },
    grpcListen: { host: "127.0.0.1", port: 8443 },
    logLevel: "warn",
  });
});

test("uses TLS for a registry without a scheme", () => {
  const { registries } = loadConfig({ ...TLS, ELASTIC_REGISTRIES: "ghcr.io, http://127.0.0.1:5000" }, {});
  expect(registries).toEqual([
    { host: "ghcr.io", base: "https://ghcr.io" },
    { host: "127.0.0.1:5000", base: "http://127.0.0.1:5000" },
  ]);
});

test("the service's own registry is without TLS on loopback only, since keys go to it", () => {
  const own = (text: string) => loadConfig({ ...TLS, ELASTIC_REGISTRY: text }, {}).registry;
  expect(own("")).toBeNull();
  expect(own("images.example.com")).toEqual({ host: "images.example.com", base: "https://images.example.com" });
  for (const host of ["127.0.0.1:5000", "localhost:5000", "127.8.8.8"]) {
    expect(own(`http://${host}`)).toEqual({ host, base: `http://${host}` });
  }
  for (const host of ["10.0.0.1:5000", "images.example.com", "127.0.0.1.evil.com", "localhost.evil.com:80"]) {
    expect(() => own(`http://${host}`)).toThrow(/ELASTIC_REGISTRY .* is without TLS/);
  }
  expect(() => own("images.example.com/path")).toThrow(/is not a registry/);
});

test("allows users' URLs addresses that are not public by ranges and by host and port", () => {
  const { egressAllow } = loadConfig({ ...TLS, ELASTIC_EGRESS_ALLOW: "10.0.0.0/8, Hooks.example:3000" }, {});
  expect(egressAllow).toEqual([
    { kind: "range", range: { base: [10, 0, 0, 0], prefixBits: 8 } },
    { kind: "host", host: "hooks.example", port: 3000 },
  ]);
});

test("the public address keeps no slash at its end", () => {
  expect(loadConfig({ ...TLS, ELASTIC_PUBLIC_URL: "https://prove.example.com/" }, {}).publicUrl).toBe(
    "https://prove.example.com",
  );
});

test("history is in a file unless a database is named, and blobs in a directory unless a bucket is", () => {
  expect(loadConfig(TLS, {})).toMatchObject({
    archive: { kind: "sqlite", file: "/var/lib/elastic/archive.db" },
    archiveAfter: 600,
    auditRetention: 400,
    archiveEndedMax: 50_000,
    blobs: null,
  });
  const env = {
    ELASTIC_ARCHIVE: "postgres://me@db/history",
    ELASTIC_BLOBS: "s3://bucket/a",
    ELASTIC_ARCHIVE_AFTER: "5",
  };
  expect(loadConfig({ ...TLS, ...env }, {})).toMatchObject({
    archive: { kind: "postgres", url: "postgres://me@db/history" },
    archiveAfter: 5,
    blobs: { bucket: "bucket", prefix: "a/" },
    s3Endpoint: null,
    s3Region: "us-east-1",
  });
});

test("reports everything that is wrong in one line, by the names of the variables", () => {
  const wrong = (env: Record<string, string>) => () => loadConfig({ ...TLS, ...env }, {});
  expect(wrong({ ELASTIC_HTTP_LISTEN: "8080" })).toThrow('ELASTIC_HTTP_LISTEN (--http-listen) "8080" is not host:port');
  expect(wrong({ ELASTIC_HTTP_LISTEN: "h:99999" })).toThrow(/is not host:port/);
  expect(wrong({ ELASTIC_ARCHIVE: "archive.db" })).toThrow(
    /ELASTIC_ARCHIVE \(--archive\) is neither sqlite:<file> nor/,
  );
  expect(wrong({ ELASTIC_ARCHIVE_AFTER: "4" })).toThrow(
    /ELASTIC_ARCHIVE_AFTER .* "4" is not a whole number from 5 to 3600/,
  );
  expect(wrong({ ELASTIC_BLOBS: "/var/blobs" })).toThrow(/ELASTIC_BLOBS .* is not s3:\/\/<bucket>\/<prefix>/);
  expect(wrong({ ELASTIC_ETCD: "localhost" })).toThrow(/ELASTIC_ETCD .* is not a list of URLs/);
  expect(wrong({ ELASTIC_ROLES: "http,mail" })).toThrow(/ELASTIC_ROLES .* is not a list of http, fleet, scheduler/);
  expect(wrong({ ELASTIC_ROLES: "http,scheduler" })).toThrow(/scheduler requires fleet/);
  expect(wrong({ ELASTIC_ROLES: "webhooks" })).toThrow(/ELASTIC_PUBLIC_URL .* is required for webhooks without http/);
  expect(wrong({ ELASTIC_REGISTRIES: "ghcr.io/library" })).toThrow(/is not a registry/);
  for (const range of ["10.0.0.0/33", "proxy", "10.0.0.0/8/8", "10.0.0.0/x"]) {
    expect(wrong({ ELASTIC_TRUSTED_PROXIES: range })).toThrow(/ELASTIC_TRUSTED_PROXIES .* is not a range of addresses/);
  }
  expect(wrong({ ELASTIC_EGRESS_ALLOW: "10.0.0.1/8" })).toThrow(/ELASTIC_EGRESS_ALLOW .* is neither a range/);
  expect(wrong({ ELASTIC_TASK_LOG_BYTES_MAX: "4MiB" })).toThrow(
    /ELASTIC_TASK_LOG_BYTES_MAX .* is not a number of bytes/,
  );
  expect(wrong({ ELASTIC_LOG_LEVEL: "loud" })).toThrow(/ELASTIC_LOG_LEVEL .* is not a level/);
  expect(wrong({ ELASTIC_PUBLIC_URL: "ftp://x" })).toThrow(/ELASTIC_PUBLIC_URL .* is not a URL/);
  expect(() => loadConfig({ ELASTIC_TLS_KEY: "key" }, {})).toThrow(
    /ELASTIC_TLS_CA .*; ELASTIC_TLS_CERT .* is required together with the others of ELASTIC_TLS/,
  );
  expect(wrong({ ELASTIC_CERTIFICATE_LIFE: "86401" })).toThrow(/ELASTIC_CERTIFICATE_LIFE .* from 10 to 86400/);
  expect(wrong({ ELASTIC_ENROLL_LISTEN: "0.0.0.0:8444" })).toThrow(/ELASTIC_ENROLL_LISTEN .* cannot be combined with/);
});

test.each([
  "control.example",
  "control.example:",
  "control.example:0",
  "control.example:65536",
  "https://control.example:8444",
  "8444",
  "::1:8444",
])("refuses %s as the address at which others reach it", (address) => {
  for (const setting of ["ELASTIC_ENROLL_ADVERTISE", "ELASTIC_GRPC_ADVERTISE"]) {
    const flag = `--${setting.slice("ELASTIC_".length).toLowerCase().replace("_", "-")}`;
    expect(() => loadConfig({ [setting]: address }, {})).toThrow(
      `${setting} (${flag}) "${address}" is not host:port, as in control.example:8443`,
    );
  }
  expect(() => loadConfig({ ELASTIC_SSH_ADVERTISE: address }, {})).toThrow(/ELASTIC_SSH_ADVERTISE .* is not host:port/);
});

test("accepts names and addresses of both kinds at which others reach it", () => {
  for (const address of ["control.example:8444", "10.0.0.5:8444", "[fd00::5]:8444"]) {
    expect(loadConfig({ ELASTIC_ENROLL_ADVERTISE: address }, {}).enrollAdvertise).toBe(address);
  }
});

test("without certificates of another authority the service has its own, and may enroll machines", () => {
  expect(loadConfig({ ELASTIC_ENROLL_LISTEN: "0.0.0.0:8444" }, {})).toMatchObject({
    tlsCa: null,
    enrollListen: { host: "0.0.0.0", port: 8444 },
    certificateLife: 86_400,
  });
});

test("accepts a gateway alone in a process, which needs an address to listen at", () => {
  const env = { ...TLS, ELASTIC_ROLES: "ssh" };
  expect(loadConfig({ ...env, ELASTIC_SSH_LISTEN: "0.0.0.0:22" }, {}).roles).toEqual(["ssh"]);
  expect(() => loadConfig(env, {})).toThrow(/ELASTIC_SSH_LISTEN .* is needed where ssh is the only role/);
});

test("a process that serves the API alone needs no certificates", () => {
  expect(loadConfig({ ELASTIC_ROLES: "http" }, {}).tlsCa).toBeNull();
});

test("each flag reads back under its setting's name", () => {
  for (const [name, { flag, env }] of Object.entries(SETTINGS)) {
    const camel = flag.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(camel).toBe(name);
    expect(env).toBe(`ELASTIC_${flag.slice(2).replaceAll("-", "_").toUpperCase()}`);
  }
});

test("reads a variable by its former name where the new one is not set, and says so", () => {
  const former = { ...TLS, ELASTIC_RATE_STRANGERS: "7" };
  expect(loadConfig(former, {}).rateUnauthenticated).toBe(7);
  expect(formerVariables(former)).toEqual([
    "ELASTIC_RATE_STRANGERS is now ELASTIC_RATE_UNAUTHENTICATED; the next release reads the new name only",
  ]);
  expect(loadConfig({ ...former, ELASTIC_RATE_UNAUTHENTICATED: "9" }, {}).rateUnauthenticated).toBe(9);
  expect(formerVariables(TLS)).toEqual([]);
});
