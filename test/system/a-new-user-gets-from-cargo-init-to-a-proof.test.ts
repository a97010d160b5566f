/** Every command on the way of somebody who has never seen the service, as docs/deploy-a-prover.md shows it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { newUser } from "../cluster/new-user.ts";
import { importToolchainImage } from "../cluster/toolchain-image.ts";
import { INPUT } from "./statement.ts";

const noEngine = await whyNoEngineHere();

const HANDLER = `
use elastic_sdk::ProofHandler;
use serde::Deserialize;

struct Sum;

#[derive(Deserialize)]
struct Input {
    numbers: Vec<u64>,
}

impl ProofHandler for Sum {
    type Input = Input;
    type Output = String;
    type Error = String;

    async fn prove(input: Input) -> Result<String, String> {
        Ok(format!("the sum is {}", input.numbers.iter().sum::<u64>()))
    }
}

fn main() -> std::process::ExitCode {
    elastic_sdk::run::<Sum>()
}
`;
/** What helps a developer who compiles again, and here takes time. */
const BUILT_ONCE = { CARGO_INCREMENTAL: "0", CARGO_PROFILE_DEV_DEBUG: "0" };
const EVENT = ["content-type: application/json", "ce-specversion: 1.0", "ce-id: 1", "ce-source: local", "ce-type: task"]
  .map((header) => `-H '${header}'`)
  .join(" ");

// Each has its own cluster, and what one compiles takes longest.
const AT_ONCE = { concurrent: true };

test.skipIf(noEngine !== null)("from an empty directory to a proof", { ...AT_ONCE, timeout: 600_000 }, async () => {
  await using cluster = await startCluster({ engine: true });
  const { url, key } = cluster.client();
  const base = await importToolchainImage(cluster.engine?.socket ?? "");
  const user = newUser(join(cluster.folder, "ada"), {
    DOCKER_HOST: `unix://${cluster.engine?.socket}`,
    ELASTIC_BUILD_IMAGE: base,
    ELASTIC_RUN_IMAGE: base,
    ...BUILT_ONCE,
  });

  await user.types(`elastic login --url ${url} --api-key ${key} --team research`);
  expect(await user.types("elastic team list")).toBe("* research\n");
  await user.types("cargo init --quiet --name sum .");
  await user.types("elastic init");
  writeFileSync(join(user.directory, "src/bin/elastic.rs"), HANDLER);
  {
    await using local = await user.starts("env PORT=0 cargo run --bin elastic", /(http:\/\/localhost:\d+)/);
    const response = await user.types(`curl -sS ${EVENT} --data '{"numbers":[1,2,3]}' ${local.found}`);
    expect(JSON.parse(response)).toBe("the sum is 6");
  }

  await user.types("elastic service create sum");
  const [, offline] = /\$ (.*cargo vendor.*)/.exec(await user.types("elastic build --help")) ?? [];
  expect(await user.types(offline ?? "false")).toMatch(/^Built elastic\/sum:latest in \d+ s\.\n$/);
  // What was vendored still builds outside of the image.
  await user.types("cargo metadata --offline --format-version 1");
  expect(await user.types("elastic deploy --tag v1 --env RUST_LOG=info")).toMatch(/^Ready\. Endpoint: /);
  expect(await user.types("elastic service info")).toMatch(/state: READY[\s\S]*image tag: v1/);

  const printed = await user.types(`elastic task create --json '{"numbers":[20,22]}'`);
  expect(printed).toMatch(/^elastic task info [0-9a-f]{32}\n$/);
  const info = printed.trim();
  await user.types(`elastic task wait ${info.split(" ").at(-1)}`);
  expect(await user.types(info)).toMatch(/service name: sum\ntask id: .*\nstate: SUCCESS\nresult url: http/);
  expect(await user.types(`${info} -d`)).toContain("the sum is 42");

  await user.types("elastic logout");
  await expect(user.types(info)).rejects.toThrow(/You are not logged in/);
});

test.skipIf(noEngine !== null)(
  "with an image that was built with the engine directly",
  { ...AT_ONCE, timeout: 240_000 },
  async () => {
    await using cluster = await startCluster({ engine: true });
    const { url, key } = cluster.client();
    const user = newUser(join(cluster.folder, "ada"), {
      DOCKER_HOST: `unix://${cluster.engine?.socket}`,
      ELASTIC_URL: url,
      ELASTIC_API_KEY: key,
    });
    const image = await cluster.publish("poseidon");
    await user.types("elastic service create poseidon");
    expect(await user.types(`elastic deploy --tag v1 --image ${image}`)).toMatch(/^Ready\. Endpoint: /);
    writeFileSync(join(user.directory, "input.json"), INPUT);
    const info = (await user.types("elastic task create --file input.json")).trim();
    await user.types(`elastic task wait ${info.split(" ").at(-1)}`);
    expect(await user.types(`${info} -d`)).toContain("SUCCESS");
  },
);
