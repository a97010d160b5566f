import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timeSpanText } from "./input/time-span.ts";
import { type Ran, runBinary } from "./testing/run-binary.ts";
import { sendJson, startScriptedServer } from "./testing/scripted-server.ts";

/** Each command is a separate process. */
const SLOWLY = { timeout: 120_000 };
const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop";

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  await openssh(3);
  expect((await elastic("login", "--url", api.url, "--api-key", api.key)).code).toBe(0);
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

function elastic(...args: readonly string[]): Promise<Ran> {
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), PATH: `${join(home, "bin")}:${process.env.PATH}` };
  return runBinary(args, { directory: home, env });
}

/** Programs in the place of OpenSSH's that record their arguments. */
async function openssh(endsWith: number): Promise<void> {
  await mkdir(join(home, "bin"), { recursive: true });
  for (const name of ["ssh", "scp"]) {
    const path = join(home, "bin", name);
    await writeFile(
      path,
      `#!/bin/sh\necho "$ELASTIC_SSH_TICKET" ${name} "$@" > ${join(home, "arguments")}\nexit ${endsWith}\n`,
    );
    await chmod(path, 0o755);
  }
}

/** The file that OpenSSH is to know the gateway by, and the option that names it. */
const knownHosts = () => join(home, "config", "known_hosts");
const trust = () => `-o UserKnownHostsFile="${knownHosts()}" -o StrictHostKeyChecking=yes`;

async function created(...args: readonly string[]): Promise<string> {
  const ran = await elastic("shell", "create", ...args, "--no-wait", "--json");
  expect(ran).toMatchObject({ code: 0 });
  return (JSON.parse(ran.stdout) as { readonly shell_id: string }).shell_id;
}

test("a shell is made, listed, shown with its password, stopped, started and deleted", {
  timeout: 120_000,
}, async () => {
  expect((await elastic("shell", "list")).stdout).toBe("The team has no shells.\n");
  const id = await created("lab", "--gpu", "H100", "--idle-stop", "never", "--home", "1");
  expect((await elastic("shell", "list")).stdout).toMatch(
    new RegExp(`^SHELL NAME +SHELL ID .*\\nlab +${id} +CREATING +H100 +base `),
  );
  const info = (await elastic("shell", "info", id)).stdout;
  expect(info).toMatch(
    /\npassword: [a-z2-9]{32}\nhostname: shells\.example\nport: 2222\nhost key: SHA256:[A-Za-z0-9+/]{43}\n/,
  );
  expect(info).toContain(`\ncommand: ssh -p 2222 ${id}@shells.example\n`);
  expect((await elastic("shell", "stop", "lab")).stdout).toContain("Stopped lab.");
  expect((await elastic("shell", "info", "lab")).stdout).toContain("\nstate: STOPPED\n");
  expect((await elastic("shell", "start", "lab", "--no-wait")).stdout).toContain("state: CREATING");
  expect(await elastic("shell", "delete", "lab")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect((await elastic("shell", "delete", "lab", "--yes")).stdout).toBe(`Deleted lab (${id}).\n`);
  expect(await elastic("shell", "info", "lab")).toMatchObject({ code: 4 });
});

test("the same idempotency key makes one shell, however often the command is run", SLOWLY, async () => {
  const args = ["lab", "--gpu", "none", "--idempotency-key", "nightly"];
  const id = await created(...args);
  expect(await created(...args)).toBe(id);
  expect(await elastic("shell", "create", "other", ...args.slice(1), "--no-wait")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("was used for another request"),
  });
});

test("prints the id of a new shell before the wait, and after Ctrl-C how to go back to it", SLOWLY, async () => {
  const args = ["shell", "create", "lab", "--gpu", "none", "--json"];
  const env = { ELASTIC_CONFIG_DIR: join(home, "config") };
  const ran = await runBinary(args, { directory: home, env, interruptAfter: '"shell_id"' });
  const id = /^\{"shell_id":"([0-9a-f]{32})"\}\n/.exec(ran.stderr)?.[1];
  expect(ran).toMatchObject({ code: 130, stdout: "" });
  expect(ran.stderr).toContain(`Interrupted. The shell ${id} continues.`);
  expect(ran.stderr).toContain(`elastic shell info ${id}`);
});

test("without a terminal the GPU has to be named", async () => {
  const ran = await elastic("shell", "create", "lab");
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --gpu none") });
});

test(
  "connecting and copying hand over to the system's OpenSSH with a ticket, which its command line does not show",
  SLOWLY,
  async () => {
    const id = await created("lab", "--gpu", "none");
    await api.shellReady(id);
    const ran = await elastic("shell", "connect", "lab", "--", "id", "-u");
    expect(ran).toMatchObject({ code: 3, stderr: "" });
    const connected = await readFile(join(home, "arguments"), "utf8");
    expect(connected).toMatch(
      /^ett_[0-9a-f]{32}_\w{36} ssh -o ProxyCommand=env NODE_CHANNEL_FD=1 \S*node \S*\/connect-ssh\.js shells\.example 2222 -o /,
    );
    expect(connected).toContain(` -o StrictHostKeyChecking=yes `);
    expect(connected).toMatch(new RegExp(` -p 22 nobody@${id} id -u\n$`));
    const [known = ""] = (await readdir(join(home, "config"))).filter((name) => name.startsWith("known_shells_"));
    expect(connected).toContain(` -o UserKnownHostsFile="${join(home, "config", known)}" `);
    expect(await readFile(join(home, "config", known), "utf8")).toBe(
      `@cert-authority * ${api.gatewayKey}\n* ${api.gatewayKey}\n`,
    );
    expect(await elastic("shell", "cp", "missing", "lab:")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no file missing here."),
    });
    await elastic("shell", "cp", "-r", "lab:out", "here");
    const copied = await readFile(join(home, "arguments"), "utf8");
    expect(copied).toMatch(new RegExp(` -P 22 -r -- nobody@${id}:out \\./here\n$`));
    expect(copied.split(" ")[0]).not.toBe(connected.split(" ")[0]);
  },
);

test("at a service that gives no tickets they hand over as before", SLOWLY, async () => {
  const id = await created("lab", "--gpu", "none");
  await api.shellReady(id);
  const older = await startScriptedServer(async ({ method, path, headers }, response) => {
    if (path.endsWith("/ssh-tickets")) return sendJson(response, 404, { status: 404, code: "not_found", title: "x" });
    const { "x-api-key": key = "" } = headers;
    const passed = await fetch(api.url + path, { method, headers: { "x-api-key": String(key) } });
    sendJson(response, passed.status, await passed.json());
  });
  const at = (...args: readonly string[]) => {
    const env = { ELASTIC_CONFIG_DIR: join(home, "config"), PATH: `${join(home, "bin")}:${process.env.PATH}` };
    return runBinary(args, { directory: home, env: { ...env, ELASTIC_URL: older.url, ELASTIC_API_KEY: api.key } });
  };
  expect(await at("shell", "connect", "lab", "--", "id", "-u")).toMatchObject({ code: 3, stderr: "" });
  expect(await readFile(join(home, "arguments"), "utf8")).toBe(` ssh ${trust()} -p 2222 ${id}@shells.example id -u\n`);
  expect(await readFile(knownHosts(), "utf8")).toBe(`[shells.example]:2222 ${api.gatewayKey}\n`);
  await at("shell", "cp", "-r", "lab:out", "here");
  expect(await readFile(join(home, "arguments"), "utf8")).toBe(
    ` scp ${trust()} -P 2222 -r -- ${id}@shells.example:out ./here\n`,
  );
  await older.stop();
});

test("shells are hosts of OpenSSH's configuration, with or without tickets", SLOWLY, async () => {
  const id = await created("lab", "--gpu", "none");
  expect((await elastic("shell", "ssh-config")).stdout).toBe(
    [
      `Host lab ${id}`,
      "  HostName shells.example",
      "  Port 2222",
      `  User ${id}`,
      `  UserKnownHostsFile "${knownHosts()}"`,
      "  StrictHostKeyChecking yes\n",
    ].join("\n"),
  );
  const withTickets = (await elastic("shell", "ssh-config", "--tickets", "lab")).stdout;
  expect(withTickets).toMatch(
    new RegExp(
      `^Host lab ${id}\n  HostName ${id}\n  User nobody\n  ProxyCommand env NODE_CHANNEL_FD=1 \\S*node \\S+/connect-ssh\\.js ${id}\n`,
    ),
  );
  expect(withTickets).toContain(`\n  IdentityFile "${join(home, "config", "shell_key")}"\n`);
});

test("where ssh itself failed, connecting ends with 255 as ssh does, and says so", SLOWLY, async () => {
  const id = await created("lab", "--gpu", "none");
  await api.shellReady(id);
  await openssh(255);
  expect(await elastic("shell", "connect", "lab", "--", "id", "-u")).toMatchObject({
    code: 255,
    stderr: expect.stringContaining("ssh could not connect or lost its connection."),
  });
});

test("without OpenSSH it says what to do", SLOWLY, async () => {
  const id = await created("lab", "--gpu", "none");
  await api.shellReady(id);
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), PATH: join(home, "config") };
  expect(await runBinary(["shell", "connect", "lab"], { directory: home, env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Install it, or run elsewhere: ssh -p 2222 ${id}@shells.example`),
  });
});

test("what a shell cannot be is said before it is made", SLOWLY, async () => {
  for (const [args, said] of [
    [["a b", "--gpu", "none"], "shell_name: 1 to 63 letters, digits, dots, dashes and underscores"],
    [["--gpu", "none", "--image", "other"], "image: one of base"],
    [["--gpu", "none", "--home", "9999"], "--home: at most 1024 GiB"],
    [["--gpu", "none", "--memory", "0"], "--memory: at least 0.063 GiB"],
    [["--gpu", "none", "--cpus", "1000"], "--cpus: at most 256"],
    [["--gpu", "any", "--gpu-count", "99"], "--gpu-count: at most 16"],
    [["--gpu", "none", "--life", "999999h"], "--life: at most 30d"],
    [["--gpu", "none", "--idle-stop", "1s"], "--idle-stop: at least 5m"],
    [
      ["--gpu", "none", "--egress", "elsewhere.example"],
      "--egress: elsewhere.example:443 is not within *.crates.io:443",
    ],
  ] as const) {
    const ran = await elastic("shell", "create", ...args, "--no-wait");
    expect([args, ran]).toMatchObject([args, { code: 2, stderr: expect.stringContaining(said) }]);
  }
  expect((await elastic("shell", "list")).stdout).toBe("The team has no shells.\n");
  const id = await created("lab", "--gpu", "none", "--egress", "static.crates.io", "--egress", "a.crates.io:443");
  const info = await elastic("shell", "info", id);
  expect((await elastic("shell", "info", await created("--gpu", "none", "--keys-only"))).stdout).toContain(
    "\npassword: off, authorised keys only\n",
  );
  expect(info.stdout).toContain("\negress: static.crates.io:443, a.crates.io:443\n");
});

test("its help names what the service takes where nothing is said", SLOWLY, async () => {
  const byDefault = defaultsOf(await api.document());
  const { stdout } = await elastic("shell", "create", "--help");
  const help = stdout.replaceAll(/\s+/g, " ");
  for (const [option, text] of [
    ["--cpus <number>", `${byDefault("cpu_millis") / 1000}`],
    ["--memory <GiB>", `${byDefault("memory_bytes") / 2 ** 30}`],
    ["--home <GiB>", `${byDefault("home_bytes") / 2 ** 30}`],
    ["--life <span>", timeSpanText(byDefault("longest_life_seconds"))],
    ["--idle-stop <span>", timeSpanText(byDefault("idle_stop_seconds"))],
  ]) {
    expect(help).toMatch(new RegExp(`${option} [^(]*\\(default: ${text}\\)`));
  }
});

test("public keys are added from a file, listed and removed; a private one is never sent", SLOWLY, async () => {
  await writeFile(join(home, "key.pub"), `${PUBLIC_KEY}\n`);
  await writeFile(join(home, "key"), "-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n");
  expect((await elastic("shell", "key", "list")).stdout).toBe("You have no public keys here.\n");
  const added = await elastic("shell", "key", "add", "key.pub");
  expect(added.stdout).toMatch(/^Added laptop \(SHA256:[A-Za-z0-9+/]{43}\)\.\n$/);
  const listed = (await elastic("shell", "key", "list")).stdout;
  expect(listed).toMatch(/^KEY ID +NAME +FINGERPRINT +CREATED\n[0-9a-f]{32} +laptop +SHA256:/);
  for (const [file, said] of [
    ["key", "holds a private key"],
    ["missing.pub", "cannot be read"],
  ] as const) {
    const refused = await elastic("shell", "key", "add", file);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  }
  const [id = ""] = /[0-9a-f]{32}/.exec(listed) ?? [];
  expect((await elastic("shell", "key", "remove", id.slice(0, 12))).stdout).toBe(`Removed ${id}.\n`);
  expect(await elastic("shell", "key", "remove", id)).toMatchObject({ code: 4 });
});

test("another team's shell is none", SLOWLY, async () => {
  const id = await created("lab", "--gpu", "none");
  const theirs = join(home, "other");
  const env = { ELASTIC_CONFIG_DIR: theirs, PATH: `${join(home, "bin")}:${process.env.PATH}` };
  const other = (...args: readonly string[]) => runBinary(args, { directory: home, env });
  expect((await other("login", "--url", api.url, "--api-key", api.otherKey)).code).toBe(0);
  expect((await other("shell", "list")).stdout).toBe("The team has no shells.\n");
  for (const args of [["info"], ["connect"], ["stop"], ["start"], ["delete", "--yes"], ["ssh-config"]]) {
    const [command = "", ...rest] = args;
    expect([args, await other("shell", command, id, ...rest)]).toMatchObject([args, { code: 4 }]);
  }
  expect((await elastic("shell", "info", "lab")).code).toBe(0);
});

test("a shell that does not run is not connected to, and says how to start it", async () => {
  const id = await created("lab", "--gpu", "none");
  await elastic("shell", "stop", "lab");
  const ran = await elastic("shell", "connect", "lab");
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`elastic shell start ${id}`) });
  expect(await elastic("shell", "connect", "other")).toMatchObject({ code: 4 });
});

/** Of the numbers in the request for a new shell. */
function defaultsOf(document: object): (member: string) => number {
  const way = ["paths", "/v1/shells", "post", "requestBody", "content", "application/json", "schema", "properties"];
  const valueAt = (at: unknown, step: string) => (at as Readonly<Record<string, unknown>>)[step];
  return (member) => [...way, member, "default"].reduce<unknown>(valueAt, document) as number;
}
