/** Each request of the client, as a server receives it: what deploy/kubernetes/ grants, and nothing else. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { ClusterRefusal } from "./cluster-client.ts";
import { openClusterClient } from "./open-cluster-client.ts";

afterAll(removeTemporaryFolders);

const SETTING = {
  namespace: null,
  gpuResource: "nvidia.com/gpu",
  gpus: null,
  nodeSelector: {},
  pullSecret: null,
  runtimeClass: null,
};
const VERBS: Readonly<Record<string, string>> = { POST: "create", DELETE: "delete", GET: "get" };

async function serve(respond: (path: string) => { readonly status: number; readonly body: object }) {
  const requests: { readonly method: string; readonly url: URL; readonly token: string }[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    requests.push({ method: request.method ?? "", url, token: request.headers.authorization ?? "" });
    const { status, body } = respond(url.pathname);
    request.resume().on("end", () => response.writeHead(status).end(JSON.stringify(body)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const configFile = join(temporaryFolder(), "kubeconfig");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    configFile,
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server: address, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: { token: "t1" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "provers" } }],
      "current-context": "x",
    }),
  );
  const client = await openClusterClient({ ...SETTING, configFile });
  return {
    client,
    requests,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** `verb group/resource`, as RBAC has it. */
function permission({ method, url }: { readonly method: string; readonly url: URL }): string {
  const path = url.pathname.replace("/namespaces/provers", "");
  const [, group = "", resource = "", name, sub] =
    /^\/(?:api|apis\/([^/]+))\/v1\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  const verb = method === "GET" && name === undefined ? "list" : (VERBS[method] ?? method);
  return `${verb} ${group}/${resource}${sub === undefined ? "" : `/${sub}`}`;
}

function granted(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../../deploy/kubernetes/${file}`, import.meta.url), "utf8");
  const rule = /apiGroups: (\[.*\])\n\s+resources: (\[.*\])\n\s+verbs: (\[.*\])/g;
  const list = (json = "[]"): readonly string[] => JSON.parse(json) as readonly string[];
  return [...text.matchAll(rule)]
    .flatMap(([, groups, resources, verbs]) =>
      list(groups).flatMap((group) =>
        list(resources).flatMap((each) => list(verbs).map((verb) => `${verb} ${group}/${each}`)),
      ),
    )
    .sort();
}

test("makes exactly the requests that the Role and the ClusterRole grant, each with the token", async () => {
  using server = await serve(() => ({ status: 200, body: { items: [], gitVersion: "v1" } }));
  const { client, requests } = server;
  await client.version();
  await client.createPod({});
  await client.listPods({ a: "b" });
  await client.deletePod("p", 1);
  await client.readLog("p", { sinceMs: 0, lines: 1 });
  for await (const _ of await client.followLog("p", new AbortController().signal)) {
    // To its end.
  }
  await client.policy("n");
  await client.createPolicy({});
  await client.listPolicies();
  await client.listNodes({});
  await client.listAllPods();
  expect(new Set(requests.map(({ token }) => token))).toEqual(new Set(["Bearer t1"]));
  const made = requests.filter(({ url }) => url.pathname !== "/version");
  const inNamespace = made.filter(({ url }) => url.pathname.includes("/namespaces/provers/"));
  const ofCluster = made.filter(({ url }) => !url.pathname.includes("/namespaces/"));
  expect([...new Set(inNamespace.map(permission))].sort()).toEqual(granted("rbac.yaml"));
  expect([...new Set(ofCluster.map(permission))].sort()).toEqual(granted("capacity.yaml"));
});

test("has a server check every field of a Pod, and takes one that is there already for created", async () => {
  using server = await serve(() => ({ status: 409, body: { message: "pods p already exists" } }));
  expect(await server.client.createPod({})).toBe("exists");
  expect(server.requests[0]?.url.searchParams.get("fieldValidation")).toBe("Strict");
});

test("reads no capacity where it may not, deletes what is gone, and passes other refusals on in the server's words", async () => {
  using forbidden = await serve(() => ({ status: 403, body: { message: "nodes is forbidden" } }));
  expect(await forbidden.client.listPolicies()).toBeNull();
  expect(await forbidden.client.listNodes({})).toBeNull();
  expect(await forbidden.client.listAllPods()).toBeNull();
  await expect(forbidden.client.listPods({})).rejects.toThrow(new ClusterRefusal(403, "nodes is forbidden"));
  using absent = await serve(() => ({ status: 404, body: {} }));
  await absent.client.deletePod("p", 0);
  expect(await absent.client.policy("n")).toBeNull();
});
