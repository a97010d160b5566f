import { expect, test } from "vitest";
import { enginePlace } from "../local/engine.ts";
import { nextCommands } from "./next-commands.ts";
import { placesIn } from "./places.ts";
import type { DemoState } from "./state-file.ts";

const places = placesIn("/somewhere/demo");

function printed(engine: string | null, where = places, baseImages = false): string {
  const state: DemoState = {
    url: "http://127.0.0.1:8088",
    key: "eps_key",
    console_login_url: "http://127.0.0.1:8088/login#token=ell_aa",
    team: "demo",
    service_id: "aa",
    metrics: { coordinator: null, agent: null },
    etcd: "http://127.0.0.1:2379",
    registry: null,
    engine,
    pids: {},
  };
  return nextCommands(where, state, {
    input: {},
    taskId: "bb",
    teamId: "cc",
    baseImages,
    shells: baseImages,
    localWebhooks: baseImages,
    enroll: baseImages ? "192.0.2.1:8444" : null,
    joinLine: baseImages ? "echo t | elastic-agent enroll --token-file -" : null,
  });
}

test("prints commands for the engine, base images, shells and further agents where there are some", () => {
  const own = enginePlace(places.engine, places.log("engine")).socket;
  expect(printed(own)).toMatch(new RegExp(`^  export DOCKER_HOST=unix://${own}$`, "m"));
  expect(printed(own)).toContain("--no-network");
  expect(printed(own)).toContain("docker load < base.tar");
  expect(printed(own)).toContain("--base-images");
  expect(printed(own, places, true)).toContain("elastic build --no-network");
  expect(printed(own, places, true)).not.toContain("docker load");
  expect(printed(own, places, true)).toContain("elastic shell create lab --gpu none");
  expect(printed(own)).not.toContain("elastic shell");
  expect(printed(own, places, true)).toMatch(
    /alias elastic-agent=.*\n {2}echo t \| elastic-agent enroll --token-file -\n/,
  );
  expect(printed(own)).not.toContain("elastic-agent");
  expect(printed("/var/run/docker.sock")).toContain("export DOCKER_HOST=unix:///var/run/docker.sock");
  expect(printed("/var/run/docker.sock")).not.toContain("--no-network");
  expect(printed(null)).not.toContain("DOCKER_HOST");
});

test("a demo in another folder than the usual one is ended by a line that names it", () => {
  expect(printed(null)).toContain("npm run demo -- --stop --folder /somewhere/demo");
  const lasting = printed(null, placesIn("/some where", { lasting: true }));
  expect(lasting).toContain("npm run demo -- --stop --state '/some where'");
  expect(lasting).toContain("state stays in /some where");
});

test("the key stands in no command, whose words everybody on the machine may read, but in a variable", () => {
  const lines = printed(null).split("\n");
  const variables = "  export URL=http://127.0.0.1:8088 KEY=eps_key TEAM=cc SERVICE=aa TASK=bb";
  expect(lines.filter((line) => line.includes("eps_key"))).toEqual(["  key      eps_key", variables]);
  const login = lines.find((line) => line.includes(" login ")) ?? "";
  expect(login.trim()).toMatch(/^ELASTIC_API_KEY=\$KEY .* login --url \$URL --team \$TEAM$/);
  expect(lines.indexOf(variables)).toBeLessThan(lines.indexOf(login));
  expect(lines.filter((line) => line.includes("curl") && line.includes('-H "x-api-key: $KEY"'))).toHaveLength(2);
});

test("the commands use the variables that are printed to paste", () => {
  const pasted = printed(null)
    .split("\n")
    .filter((line) => line.startsWith("  curl"));
  expect(pasted[0]).toContain("$URL/v1/services/$SERVICE ");
  expect(pasted[1]).toContain('"$URL/v1/tasks/$TASK?wait=30"');
  expect(printed(null)).toMatch(/task info \$TASK$/m);
});

test("prints what --local-webhooks allows where it is on", () => {
  expect(printed(null, places, true)).toMatch(/^ {2}webhooks .*127\.0\.0\.0\/8/m);
  expect(printed(null)).not.toContain("webhooks");
});

test("prints an alias with which elastic-coordinator runs on the demo's store", () => {
  const [, command] = /^ {2}alias elastic-coordinator='(.*)'$/m.exec(printed(null)) ?? [];
  const files = [
    "ELASTIC_BLOBS_DIR=/somewhere/demo/coordinator/blobs",
    "ELASTIC_ARCHIVE=sqlite:/somewhere/demo/coordinator/archive.db",
    "ELASTIC_SECRETS_KEY_FILE=/somewhere/demo/coordinator/secrets.key",
  ];
  const settings = ["ELASTIC_ETCD=http://127.0.0.1:2379", "ELASTIC_PUBLIC_URL=http://127.0.0.1:8088", ...files];
  expect(command).toMatch(new RegExp(`^${settings.join(" ")} \\S+ -- \\S+/coordinator/main\\.ts$`));
  expect(printed(null, places, true)).toContain(" ELASTIC_ENROLL_ADVERTISE=192.0.2.1:8444 ");
});
