/** Starts the stand-in for GitHub as a program, for trying source hosts manually: `node test/github/start-github.ts --help`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { startGithubHost } from "../login/github-host.ts";
import { appSettings, writeAppFiles } from "./app-settings.ts";
import { manualPush } from "./manual-push.ts";
import { filesOf } from "./memory-repository.ts";
import { HELP, startOrder } from "./start-options.ts";

const order = startOrder(process.argv.slice(2), { root: repositoryRoot, directory: process.cwd() });
if (order.kind === "start") await start(order.folder);
else if (order.kind === "help") process.stdout.write(`${HELP}\n`);
else {
  process.stderr.write(`error: ${order.why}\n\n${HELP}\n`);
  process.exitCode = 2;
}

async function start(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  github.app.addRepository({ owner: "ada", name: "prover" }, filesOf({ Dockerfile: "FROM scratch\n" }));
  // Paths that only this program has.
  github.faults.set("/_app", ({ body }, response) => {
    const { callback_url, webhook_url } = JSON.parse(body.toString());
    github.app.callbackUrl = callback_url;
    github.app.webhookUrl = webhook_url;
    response.writeHead(204).end();
  });
  github.faults.set("/_push", manualPush(github.app));
  const settings = appSettings("github", github.url, writeAppFiles(folder));
  writeFileSync(join(folder, "github.json"), JSON.stringify({ url: github.url, settings }));
  process.stdout.write(`${JSON.stringify({ url: github.url, settings })}\n`);
}
