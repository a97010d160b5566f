import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { userCommand } from "../cluster/user-command.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { demoState, startDemo } from "../system/demo-process.ts";

const noEngine = await whyNoEngineHere();
const START_TIMEOUT_MS = 300_000;
/** Ends with 7 where it runs. */
const PROGRAM = "fn main() { std::process::exit(7) }\n";
const MANIFEST = '[package]\nname = "seven"\nversion = "0.1.0"\nedition = "2024"\n';

test.skipIf(noEngine !== null)(
  "builds the generated Dockerfile with the base images of --base-images",
  async () => {
    using work = makeWorkFolder();
    const demo = await startDemo(work.path, "--container", "--base-images", "--keep");
    await demo.child.line((line) => line.includes("Three commands") || undefined, START_TIMEOUT_MS);
    const state = demoState(demo);
    const [url, key, engineSocket] = [state.url ?? "", state.key ?? "", state.engine ?? ""];
    const elastic = userCommand({ folder: work.path, url, key, engineSocket });
    const project = join(work.path, "project");
    mkdirSync(join(project, "src", "bin"), { recursive: true });
    copyFileSync(inRepository("cli", "templates", "Dockerfile"), join(project, "Dockerfile"));
    writeFileSync(join(project, "Cargo.toml"), MANIFEST);
    writeFileSync(join(project, "src", "bin", "elastic.rs"), PROGRAM);
    const built = await elastic("build", "--no-network", "--json");
    expect(built.code, built.stderr).toBe(0);
    const { image } = JSON.parse(built.stdout) as { readonly image: string };
    const docker = new Docker({ socketPath: engineSocket });
    const [ended] = await docker.run(image, [], process.stdout, { HostConfig: { NetworkMode: "none" } });
    expect(ended.StatusCode).toBe(7);
    await demo.child.stop();
  },
  2 * START_TIMEOUT_MS,
);
