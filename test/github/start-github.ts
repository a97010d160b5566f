/**
 * Starts the stand-in for GitHub as a program, for trying the console by hand: `node test/github/start-github.ts <folder>`. It
 * writes the app's files into the folder, and to its standard output the variables of the coordinator and the addresses where
 * the app's callback and webhook are set, by `PUT <url>/_app {"callback_url": …, "webhook_url": …}`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startGithubHost } from "../login/github-host.ts";
import { appSettings, writeAppFiles } from "./app-settings.ts";
import { filesOf } from "./memory-repository.ts";

const [folder = "."] = process.argv.slice(2);
const github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
github.app.addRepository({ owner: "ada", name: "prover" }, filesOf({ Dockerfile: "FROM scratch\n" }));
// A path that only this program has.
github.faults.set("/_app", ({ body }, response) => {
  const { callback_url, webhook_url } = JSON.parse(body.toString());
  github.app.callbackUrl = callback_url;
  github.app.webhookUrl = webhook_url;
  response.writeHead(204).end();
});
const settings = appSettings("github", github.url, writeAppFiles(folder));
writeFileSync(join(folder, "github.json"), JSON.stringify({ url: github.url, settings }));
process.stdout.write(`${JSON.stringify({ url: github.url, settings })}\n`);
