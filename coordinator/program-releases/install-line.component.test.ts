/** The pasted line and the installer in the shells of this machine, on a folder in the place of the machine's own, with an agent that the test plays. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { installLine } from "./install-line.ts";
import { INSTALLER } from "./install-offer.ts";

const DIGEST = "a".repeat(64);
const LINE = {
  coordinator: "control.example:8444",
  token: "ejt_id_secret",
  authoritySha256: DIGEST,
  authorityFileSha256: DIGEST,
  nodeName: "gpu-7",
};
const RELEASES = ["linux-x64", "linux-arm64"].map((platform) => ({
  platform,
  version: "1.2.3",
  manifestSha256: DIGEST,
}));
const OFFER = { installerSha256: DIGEST, keyFingerprint: DIGEST, keyFileSha256: DIGEST, releases: RELEASES };
/** Becomes a node and measures until it is interrupted, as the agent does. */
const MEASURES = [
  'mkdir -p "$ROOT/identity"',
  'touch "$ROOT/identity/node.pem"',
  inNode(
    'process.on("SIGINT", () => process.exit(0)); process.stdout.write("measuring"); setTimeout(() => {}, 60_000)',
  ),
].join("; ");

/**
 * A program that can be interrupted from the moment at which it prints. A script that prints and then starts `sleep` cannot: dash 0.5.12 drops
 * what arrives between vfork and exec in the child, which is a third of the interrupts that are sent for its output.
 */
function inNode(source: string): string {
  return `exec "${process.execPath}" -e '${source}'`;
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "install-line-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "tmp"));
  // This user is to count as root, and what is downloaded as what the line names.
  program("stubs/id", "echo 0");
  program("stubs/sha256sum", `case $* in *-c*) exit 0 ;; *) echo "${DIGEST}  -" ;; esac`);
  program(
    "stubs/curl",
    `to= before=
for one; do if [ "$before" = -o ]; then to=$one; fi; before=$one; done
if [ -z "$to" ]; then echo "this coordinator has no signed release 1.2.3"; exit 0; fi
[ -e "$ROOT/served/\${before##*/}" ] || exit 22
cp "$ROOT/served/\${before##*/}" "$to"`,
  );
  mkdirSync(join(root, "served"));
  writeFileSync(join(root, "served", "ca.pem"), "YQ==\n");
});

function program(path: string, script: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** The installer with the test's folder in the places of the machine's, and an agent that is installed already. */
function serveInstaller(enroll: string): void {
  const text = INSTALLER.toString("utf8")
    .replace(/^PATH=/m, `PATH=${join(root, "stubs")}:`)
    .replaceAll("/opt/elastic", join(root, "opt"))
    .replaceAll("/usr/local/bin/elastic-agent", join(root, "bin", "elastic-agent"))
    .replaceAll("/usr/bin/$NAME", join(root, "absent"))
    .replaceAll("/etc/systemd", join(root, "absent"))
    .replaceAll("/run/systemd", join(root, "absent"))
    .replaceAll("/etc/elastic", join(root, "etc"))
    .replaceAll("/var/lib/elastic-agent", root);
  writeFileSync(join(root, "served", "install.sh"), text);
  program(
    "opt/elastic-agent-1.2.3/bin/elastic-agent",
    `case $1 in --version) echo 1.2.3 ;; enroll) ${enroll} ;; doctor) echo examined ;; esac`,
  );
  symlinkSync("elastic-agent-1.2.3", join(root, "opt", "elastic-agent"));
}

/** Interrupts the whole line, as a terminal does, once it prints `until`. */
async function paste(until: string | null = null): Promise<{ readonly code: number; readonly output: string }> {
  const line = installLine(LINE, OFFER).replace("$(command -v sudo) ", "");
  const PATH = `${join(root, "stubs")}:/usr/bin:/bin`;
  const env = { PATH, ROOT: root, TMPDIR: join(root, "tmp") };
  // In another process group, which the test can interrupt.
  const shell = spawn("/bin/sh", ["-c", `${line}; exit $?`], { env, detached: true });
  let output = "";
  let isInterrupted = false;
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (until === null || isInterrupted || !output.includes(until)) return;
      isInterrupted = true;
      process.kill(-(shell.pid ?? 0), "SIGINT");
    });
  }
  const [code] = (await once(shell, "close")) as [number];
  return { code, output };
}

test("continues after an interrupted measurement, and leaves no temporary folder", async () => {
  serveInstaller(MEASURES);
  // The shell into which it is pasted does not end with what it runs.
  const { output } = await paste("measuring");
  expect(output).toContain("examined");
  expect(output).toContain("there is no systemd here: start the agent");
  expect(output).not.toContain("this was interrupted");
  await expect.poll(() => readdirSync(join(root, "tmp"))).toEqual([]);
});

test("says that a machine which is a node stays what it is, where the enrollment is refused", async () => {
  serveInstaller('echo "the token is for node b"; exit 1');
  const first = await paste();
  expect(first.code).toBe(1);
  expect(first.output).toContain("this machine is no node yet, for the reason above");
  mkdirSync(join(root, "identity"));
  writeFileSync(join(root, "identity", "node.pem"), "");
  const { code, output } = await paste();
  expect(code).toBe(1);
  expect(output).toContain("this machine is a node and stays the one that it was, for the reason above");
  expect(output).not.toContain("is no node yet");
});

test("reports an interrupted enrollment, removes its folder, and states that the line works again", async () => {
  serveInstaller(inNode('process.stdout.write("connecting"); setTimeout(() => {}, 60_000)'));
  const { output } = await paste("connecting");
  expect(output).toContain("this was interrupted, and nothing is half installed: paste the line again");
  await expect.poll(() => readdirSync(join(root, "tmp"))).toEqual([]);
});

test("states where the machine has no room, in place of what failed for it", async () => {
  serveInstaller("exit 0");
  program("stubs/head", "exit 1");
  const full = await paste();
  expect(full.output).toMatch(/^elastic: \S+ cannot be written: make room there\. Nothing was installed\n/);
  program("stubs/head", 'exec /usr/bin/head "$@"');
  program("stubs/mkdir", "exit 1");
  expect((await paste()).output).toContain("/opt cannot be written: check that its disk has room and is not read-only");
  expect(existsSync(join(root, "opt", ".lock"))).toBe(false);
});

test("states the coordinator's reason where it does not serve the release", async () => {
  serveInstaller("exit 0");
  rmSync(join(root, "opt"), { recursive: true });
  const { code, output } = await paste();
  expect(code).toBe(1);
  expect(output).toMatch(
    /control\.example:8444 does not serve \S+\/1\.2\.3\/release\.json: this coordinator has no signed release 1\.2\.3\. Check its releases, .* Nothing was installed/,
  );
  expect(readdirSync(join(root, "opt"))).toEqual([".lock"]);
});
