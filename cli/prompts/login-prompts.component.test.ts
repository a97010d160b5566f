import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shellCommand } from "../testing/run-binary.ts";
import { sendJson, startScriptedServer } from "../testing/scripted-server.ts";

test("login prompts for an address that was never given, for the API key for it, shows none of it, and then for the active team", async () => {
  const teams = { items: ["research", "studio"].map((name, index) => ({ team_id: `id${index}`, name })), pages: 1 };
  const server = await startScriptedServer((_request, response) => sendJson(response, 200, teams));
  const home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  try {
    // `script` gives the command a terminal, but one without a size.
    const command = `stty cols 80 rows 24; ${shellCommand("login")}`;
    const terminal = spawn("script", ["-qec", command, "/dev/null"], {
      env: { PATH: "/usr/bin:/bin", ELASTIC_CONFIG_DIR: home, TERM: "xterm", SHELL: "/bin/sh" },
    });
    let screen = "";
    const ended = new Promise((resolve) => terminal.on("close", resolve));
    const shown = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => screen.includes(text) && resolve();
        terminal.stdout.on("data", look);
        look();
      });
    terminal.stdout.on("data", (chunk) => {
      screen += chunk;
    });
    await shown("Address of the service");
    expect(server.seen).toEqual([]);
    terminal.stdin.write(`${server.url}\r`);
    await shown(`API key for ${server.url}`);
    terminal.stdin.write("eps_secret\r");
    await shown("studio");
    terminal.stdin.write("\u001b[B\r");
    await shown("Logged in");
    terminal.stdin.end();
    await ended;

    expect(screen).not.toContain("eps_secret");
    expect(server.seen[0]?.headers["x-api-key"]).toBe("eps_secret");
    expect(JSON.parse(await readFile(join(home, "credentials.json"), "utf8"))).toMatchObject({
      team: { name: "studio" },
    });
  } finally {
    await server.stop();
    await rm(home, { recursive: true });
  }
});
