/** Every command of shells as somebody types it who has never seen one, with the system's own OpenSSH. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeDriver, GIB } from "@elastic/agent/gpus/testing/fake-driver.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { type NewUser, newUser } from "../cluster/new-user.ts";
import { importShellImage } from "../cluster/shell-image.ts";
import { DOWN, ENTER, type Terminal } from "../cluster/terminal.ts";

const noEngine = await whyNoEngineHere();

const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d";

test.skipIf(noEngine !== null)(
  "from login at the prompt to delete at the prompt, and everything in between",
  { timeout: 600_000 },
  async () => {
    await using engine = await startEngine();
    const image = await importShellImage(engine.socket);
    const driver = fakeDriver({
      gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2" }].map((gpu) => ({ ...gpu, totalBytes: 140 * GIB })),
    });
    const ssh = await freePort();
    await using cluster = await startCluster({
      engine,
      coordinatorSettings: { ELASTIC_SHELL_IMAGES: `base=${image}`, ELASTIC_SSH_LISTEN: `127.0.0.1:${ssh}` },
      agentSettings: { ELASTIC_NVML_LIBRARY: driver.library },
    });
    const { url, key } = cluster.client();
    const folder = join(cluster.folder, "ada");
    const user = newUser(folder, {});
    keepOutOfTheHome(folder);

    const login = user.sitsAt(`elastic login --url ${url}`);
    await login.shows("API key");
    login.types(`${key}${ENTER}`);
    await login.shows("research");
    login.types(ENTER);
    expect(await login.ended()).toContain("Logged in");

    const create = user.sitsAt("elastic shell create lab");
    await create.shows("GPU type");
    await create.shows("NVIDIA H200  140.0 GiB  2 of 2 free");
    await create.shows("none");
    create.types(`${DOWN}${ENTER}`);
    await create.shows("state: READY");
    expect(await create.ended()).toMatch(/Log in: elastic shell connect [0-9a-f]{32}\n/);

    const info = await user.types("elastic shell info lab");
    const id = /^shell id: ([0-9a-f]{32})$/m.exec(info)?.[1] ?? "";
    const password = /^password: ([a-z2-9]{32})$/m.exec(info)?.[1] ?? "";
    expect(info).toMatch(
      new RegExp(
        `^${[
          `shell id: ${id}`,
          "shell name: lab",
          "team name: research",
          "state: READY",
          `created: ${TIME}`,
          `expires: ${TIME}`,
          "image: base",
          "gpu type: -",
          "home: 10.0 GiB",
          `username: ${id}`,
          `password: ${password}`,
          "hostname: 127.0.0.1",
          `port: ${ssh}`,
          "host key: SHA256:[A-Za-z0-9+/]{43}",
          `command: ssh -p ${ssh} ${id}@127.0.0.1`,
        ].join("\n")}\n$`,
      ),
    );
    expect(await user.types("elastic shell list")).toMatch(
      new RegExp(
        `^SHELL NAME +SHELL ID +STATE +GPU TYPE +IMAGE +CREATED +EXPIRES\nlab +${id} +READY +- +base +${TIME} +${TIME}\n$`,
      ),
    );

    const connect = user.sitsAt(`elastic shell connect ${id}`);
    await connect.shows("$ ");
    connect.types("echo kept > file; pwd; tty; exit\r");
    await connect.shows("/home/shell\n/dev/pts/");
    await connect.ended();

    expect(await user.types("elastic shell stop lab")).toBe("Stopped lab. What was not in its home is gone.\n");
    expect(await user.types("elastic shell info lab")).toContain("\nstate: STOPPED\n");
    await expect(user.types("elastic shell connect lab")).rejects.toThrow(`elastic shell start ${id}`);
    expect(await user.types("elastic shell start lab")).toContain("\nstate: READY\n");
    expect(await user.types("elastic shell connect lab -- cat file")).toBe("kept\n");
    const failing = "elastic shell connect lab -- exit 7 || echo code $?";
    expect(await user.types(failing)).toBe("code 7\n");

    writeFileSync(join(user.directory, "with space"), "copied");
    mkdirSync(join(user.directory, "folder"));
    writeFileSync(join(user.directory, "folder", "inside"), "also");
    await user.types("elastic shell cp 'with space' lab:there");
    await user.types("elastic shell cp -r folder lab:");
    await user.types("elastic shell cp lab:there back");
    await user.types("elastic shell cp -r lab:folder again");
    expect(readFileSync(join(user.directory, "back"), "utf8")).toBe("copied");
    expect(readFileSync(join(user.directory, "again", "inside"), "utf8")).toBe("also");

    const hosts = await user.types("elastic shell ssh-config");
    expect(hosts).toMatch(
      new RegExp(
        `^Host lab ${id}\n  HostName 127.0.0.1\n  Port ${ssh}\n  User ${id}\n` +
          '  UserKnownHostsFile ".*/known_hosts"\n  StrictHostKeyChecking yes\n$',
      ),
    );
    const config = readFileSync(join(folder, "ssh.conf"), "utf8");
    writeFileSync(join(folder, "ssh.conf"), `${hosts}${config}`);
    expect(await withPassword(user, "ssh lab cat there", password)).toMatch(/\ncopied$/);
    expect(await withPassword(user, "scp back lab:again && echo done", password)).toMatch(/done\n$/);
    expect(await withPassword(user, "echo ls | sftp lab", password)).toMatch(/\bagain\b[\s\S]*\bthere\b/);

    await user.types(`ssh-keygen -q -t ed25519 -N '' -C ada -f ${join(folder, "id")}`);
    expect(await user.types(`elastic shell key add ${join(folder, "id.pub")}`)).toMatch(/^Added ada \(SHA256:/);
    expect(await user.types(`ssh -i ${join(folder, "id")} lab cat file`)).toBe("kept\n");

    await expect(user.types("elastic shell create --gpu H1000")).rejects.toThrow(
      "--gpu: no machine of the fleet has 1 GPU of H1000; there are NVIDIA H200",
    );

    const keep = user.sitsAt("elastic shell delete lab");
    await keep.shows(`Delete the shell lab (${id}) and everything in its home?`);
    keep.types(ENTER);
    await expect(keep.ended()).rejects.toThrow("Nothing was done.");
    const remove = user.sitsAt("elastic shell delete lab");
    await remove.shows("everything in its home?");
    remove.types("y");
    expect(await remove.ended()).toContain(`Deleted lab (${id}).`);
    expect(await user.types("elastic shell list")).toBe("The team has no shells.\n");
    await expect(user.types("elastic shell info lab")).rejects.toThrow("The team has no shell lab.");
  },
);

/** OpenSSH takes the home of whoever runs it from the system: it keeps nothing there, and knows no host from there. */
function keepOutOfTheHome(folder: string): void {
  const config = join(folder, "ssh.conf");
  writeFileSync(config, `Host *\n  UserKnownHostsFile none\n  IdentityFile none\n`);
  for (const program of ["ssh", "scp", "sftp"]) {
    const real = programPath()
      .split(":")
      .map((at) => join(at, program));
    writeFileSync(
      join(folder, "bin", program),
      `#!/bin/sh\nfor at in ${real.join(" ")}; do [ -x "$at" ] && exec "$at" -F ${config} "$@"; done\n`,
      { mode: 0o755 },
    );
  }
}

async function enter(terminal: Terminal, password: string): Promise<void> {
  await terminal.shows("password: ");
  terminal.types(`${password}\r`);
}

async function withPassword(user: NewUser, line: string, password: string): Promise<string> {
  const terminal = user.sitsAt(line);
  await enter(terminal, password);
  const screen = await terminal.ended();
  expect(screen).not.toContain(password);
  return screen;
}
