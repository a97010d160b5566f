import { expect, test } from "vitest";
import { enginePlace } from "../local/engine.ts";
import { nextCommands } from "./next-commands.ts";
import { placesIn } from "./places.ts";
import type { DemoState } from "./state-file.ts";

const places = placesIn("/somewhere/demo");

function told(engine: string | null): string {
  const state: DemoState = {
    url: "http://127.0.0.1:8088",
    key: "eps_key",
    console_login_url: "http://127.0.0.1:8088/login#token=ell_aa",
    team: "demo",
    service_id: "aa",
    metrics: { coordinator: null, agent: null },
    etcd: null,
    registry: null,
    engine,
    pids: {},
  };
  return nextCommands(places, state, { input: {}, taskId: "bb" });
}

test("whoever builds images with the demo's own engine is told where it listens and that it has no network", () => {
  const own = enginePlace(places.engine, places.log("engine")).socket;
  expect(told(own)).toMatch(new RegExp(`^  export DOCKER_HOST=unix://${own}$`, "m"));
  expect(told(own)).toContain("--no-network");
  expect(told(own)).toContain("docker load < base.tar");
  expect(told("/var/run/docker.sock")).toContain("export DOCKER_HOST=unix:///var/run/docker.sock");
  expect(told("/var/run/docker.sock")).not.toContain("--no-network");
  expect(told(null)).not.toContain("DOCKER_HOST");
});

test("a demo in a folder of its own is ended by a line that names it", () => {
  expect(told(null)).toContain("npm run demo -- --stop --folder /somewhere/demo");
});

test("the key stands in no command, whose words everybody on the machine may read, but in a variable", () => {
  const lines = told(null).split("\n");
  const variables = "  export URL=http://127.0.0.1:8088 KEY=eps_key SERVICE=aa TASK=bb";
  expect(lines.filter((line) => line.includes("eps_key"))).toEqual(["  key      eps_key", variables]);
  const login = lines.find((line) => line.includes(" login ")) ?? "";
  expect(login.trim()).toMatch(/^ELASTIC_API_KEY=\$KEY .* login --url \$URL --team demo$/);
  expect(lines.indexOf(variables)).toBeLessThan(lines.indexOf(login));
  expect(lines.filter((line) => line.includes("curl") && line.includes('-H "x-api-key: $KEY"'))).toHaveLength(2);
});

test("the commands use the variables that are printed to paste", () => {
  const pasted = told(null)
    .split("\n")
    .filter((line) => line.startsWith("  curl"));
  expect(pasted[0]).toContain("$URL/v1/services/$SERVICE ");
  expect(pasted[1]).toContain('"$URL/v1/tasks/$TASK?wait=30"');
});
