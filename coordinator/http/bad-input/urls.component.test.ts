/** URLs that users give, as far as they are judged without resolving a host: coordinator/egress has the rest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiApart, startApiApart } from "../testing/api-apart.ts";
import { call } from "../testing/call.ts";
import { expectRefused } from "../testing/refusal.ts";

let api: ApiApart;

beforeAll(async () => {
  api = await startApiApart();
});
afterAll(() => api[Symbol.asyncDispose]());

const REFUSED: readonly string[] = [
  "",
  "not a url",
  "/v1/hooks",
  "//example.com/",
  "https://",
  "https:///",
  // Schemes.
  "http://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "ftp://example.com/",
  "data:text/plain,x",
  "unix:/var/run/docker.sock",
  "javascript:alert(1)",
  "ws://example.com/",
  // Addresses of this machine and its network, in every spelling.
  "https://127.0.0.1/",
  "http://2130706433/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://127.1/",
  "https://①②⑦.⓪.⓪.①/",
  "https://0/",
  "https://0.0.0.0/",
  "https://[::]/",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://localhost/",
  "https://localhost./",
  "https://LOCALHOST/",
  "https://a.localhost/",
  "https://intranet/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://10.0.0.1/",
  "https://172.16.0.1/",
  "https://192.168.0.1/",
  "https://100.64.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https:169.254.169.254",
  "https:/\\169.254.169.254/",
  "https://169.254.169.254./",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://[fe80::1%25eth0]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://[2002:a00:1::1]/",
  "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  // Ports of what is not a web server.
  "https://example.com:22/",
  "https://example.com:80/",
  "https://example.com:2379/",
  "https://example.com:6443/",
  "https://example.com:10250/",
  "https://example.com:0/",
  "https://example.com:65536/",
  // What hides where it leads.
  "https://user@example.com/",
  "https://user:password@example.com/",
  "http://user@evil.example:80@169.254.169.254/",
  "https://example.com\\@169.254.169.254/",
  "https://exam\nple.com/",
  "https://example.com/\r\nx-injected: 1",
  "https://example.com/\0",
  " https://example.com/",
  "https://example.com/ ",
  "https://\u202eexample.com/",
  "https://exa%6dple%00.com/",
  `https://example.com/${"x".repeat(2_100)}`,
  `https://example.com/${"x".repeat(10_000)}`,
  `https://${"a.".repeat(5_000)}com/`,
];

test.each(REFUSED)("no webhook is sent to %j", async (url) => {
  const body = JSON.stringify({ name: "hook", url });
  const list = `${api.url}/v1/services/${api.serviceId}/webhooks`;
  expectRefused(await api.unstalled(() => call(list, { key: api.key, body })), 422, "url_refused");
});

test.each(REFUSED)("no input is fetched from %j", async (url) => {
  const body = JSON.stringify({ input_url: url });
  const tasks = `${api.url}/v1/services/${api.serviceId}`;
  const response = await api.unstalled(() => call(tasks, { key: api.key, body }));
  expectRefused(response, 422, url.length > 2_048 ? "invalid_request" : "input_unreachable");
});

test.each([null, 1, true, {}, [], ["https://hooks.example/"]])("%j is no URL", async (url) => {
  const list = `${api.url}/v1/services/${api.serviceId}`;
  const hook = JSON.stringify({ name: "hook", url });
  const hooked = await api.unstalled(() => call(`${list}/webhooks`, { key: api.key, body: hook }));
  expectRefused(hooked, 422, "invalid_request");
  const task = JSON.stringify({ input_url: url });
  expectRefused(await api.unstalled(() => call(list, { key: api.key, body: task })), 422, "invalid_request");
});

test.each([
  "https://hooks.example/",
  "https://hooks.example:8443/a?b=c#d",
  "https://münchen.example/",
  "https://1.1.1.1/",
])("a webhook may be sent to %s", async (url) => {
  const list = `${api.url}/v1/services/${api.serviceId}/webhooks`;
  const { status } = await call(list, { key: api.key, body: JSON.stringify({ name: "hook", url }) });
  expect(status).toBe(201);
});
