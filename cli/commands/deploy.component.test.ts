import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, SERVICE, startScriptedService } from "../testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("deploy", () => {
  const deployment = { deployment_id: "dd", service_id: SERVICE.service_id, image: "i", tag: "v1", state: "Unready" };

  test("sends the image as it is given, and waits until it serves", async () => {
    await service.loggedIn();
    await writeFile(join(service.home, "prover.env"), "C=of the file\nA=of the file\n");
    let reads = 0;
    service.answer = ({ method, path }, response) => {
      if (method === "POST") return sendJson(response, 202, deployment);
      if (!path.includes("/deployments/")) return sendJson(response, 200, SERVICE);
      reads += 1;
      const [state, stage] = reads < 2 ? ["Unready", "waiting"] : ["Ready", "ready"];
      sendJson(response, 200, { ...deployment, state, stage, stage_note: "no free slot", failure: null });
    };
    const args = ["deploy", "--service", SERVICE.service_id, "--image", "h:5000/a/b:1", "--tag", "v1"];
    const ran = await service.elastic([
      ...args,
      "--env",
      "A=1=2",
      "--env",
      "B=",
      "--min",
      "0",
      "--max",
      "3",
      "--run-timeout",
      "12h",
      ...["--cpus", "0.5", "--memory", "16", "--gpu-memory", "40", "--gpu-count", "2", "--env-file", "prover.env"],
    ]);
    expect(ran).toEqual({
      code: 0,
      stdout: `Ready. Endpoint: ${SERVICE.service_url}\n`,
      stderr: "Environment: C, A, B.\nGPUs: 2 of any type, 40 GB or more each.\nDeployment dd\nWaiting: no free slot\n",
    });
    const posted = service.server.seen.find(({ method }) => method === "POST");
    expect(JSON.parse(String(posted?.body))).toEqual({
      image: "h:5000/a/b:1",
      tag: "v1",
      env: { A: "1=2", B: "", C: "of the file" },
      resources: { cpu_millis: 500, memory_bytes: 16 * 1024 ** 3, gpu_memory_bytes: 40e9, gpu_count: 2 },
      scaling: { min: 0, max: 3 },
      limits: { run_timeout_seconds: 43_200 },
    });
  });

  test("with --json prints the records as they are after the wait, with --wait as without it", async () => {
    await service.loggedIn();
    service.answer = ({ method, path }, response) => {
      if (method === "POST") return sendJson(response, 202, deployment);
      const record = path.includes("/deployments/") ? { ...deployment, state: "Ready", failure: null } : SERVICE;
      sendJson(response, 200, record);
    };
    const ran = await service.elastic([
      "deploy",
      "--service",
      SERVICE.service_id,
      "--image",
      "h:1/i",
      "--wait",
      "--json",
    ]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: "Ready", service: { state: "Ready" } });
  });

  test.each([
    [["--image", ""], "The image name is empty."],
    [["--image", "i", "--tag", " "], "The tag is empty."],
    [["--image", "i", "--service", ""], "The service is empty."],
    [
      ["--image", "i", "--tag", "bad tag!"],
      "option '--tag <tag>' argument 'bad tag!' is invalid. Give up to 128 letters, digits, dots, dashes and underscores.",
    ],
    [
      ["--image", "i", "--env", "BAD-KEY=1"],
      "option '--env <key=value>' argument 'BAD-KEY=1' is invalid. A name has letters, digits and underscores, and begins with no digit.",
    ],
    [["--image", "i", "--env-file", "absent.env"], "Could not read absent.env: it does not exist."],
    [
      ["--image", "i", "--memory", "16GB"],
      "option '--memory <GiB>' argument '16GB' is invalid. Give a number, as in 4 or 0.5.",
    ],
    [["--image", "i", "--min", "2", "--max", "1"], "--min is larger than --max."],
    [["--image", "i", "--timeout", "5", "--no-wait"], "--timeout has no effect with --no-wait."],
    [["--image", "../etc/passwd"], '"../etc/passwd" is not the name of an image.'],
    [["--image", "h:1/a/../../x"], '"h:1/a/../../x" is not the name of an image.'],
    [[], "There is nothing to deploy: nothing was built here."],
  ])("with %j sends nothing and says: %s", async (args, message) => {
    const ran = await service.elastic(["deploy", ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`error: ${message}\n`) });
    expect(service.server.seen).toEqual([]);
  });

  test("prints the id before it waits, and on Ctrl-C how to follow or replace the deployment", async () => {
    await service.loggedIn();
    service.answer = ({ method }, response) => {
      if (method === "POST") sendJson(response, 202, deployment);
    };
    const args = ["deploy", "--service", SERVICE.service_id, "--image", "builtin:i"];
    const ran = await service.elastic(args, { interruptAfter: "Deployment dd" });
    expect(ran).toMatchObject({
      code: 130,
      stdout: "",
      stderr:
        "Deployment dd\nerror: Interrupted. The deployment dd continues.\n" +
        `\`elastic deployment info dd --service ${SERVICE.service_id}\` shows how far it is; another \`elastic deploy\` replaces it, and ` +
        `\`elastic deployment rollback --service ${SERVICE.service_id}\` goes back to the one that was ready before.\n`,
    });
  });

  test("repeats the last warning of a prover that was not ready in time", async () => {
    await service.loggedIn();
    const starting = { warning: "it listens on port 3000, not on port 8080", log_tail: "" };
    service.answer = ({ method }, response) =>
      sendJson(response, 200, method === "POST" ? deployment : { ...deployment, stage: "started", starting });
    const args = ["deploy", "--service", SERVICE.service_id, "--image", "builtin:i", "--timeout", "0"];
    expect((await service.elastic(args)).stderr).toContain(
      "error: The deployment was not ready within 0 s; it continues. " +
        "The prover starts, but it listens on port 3000, not on port 8080.\n",
    );
  });

  test.each([
    [SERVICE.service_id, SERVICE.service_id],
    ["poseidon", "poseidon"],
    ["it's mine", "'it'\\''s mine'"],
  ])("without a wait for the service %j, the hint names it as %s", async (given, shown) => {
    await service.loggedIn();
    service.answer = ({ method }, response) => {
      const services = { items: [{ ...SERVICE, service_name: given }], pages: 1 };
      return method === "POST" ? sendJson(response, 202, deployment) : sendJson(response, 200, services);
    };
    const ran = await service.elastic(["deploy", "--service", given, "--image", "builtin:i", "--no-wait"]);
    expect(ran.stderr).toBe(`See \`elastic service info --service ${shown}\` for its state.\n`);
  });

  test("prints why it failed", async () => {
    await service.loggedIn();
    const why = { reason: "image_unavailable", message: "The registry has no such tag." };
    const failure = { stage: "pulling", ...why, exit_code: null, log_tail: "one\ntwo\n" };
    service.answer = ({ method }, response) =>
      sendJson(response, 200, method === "POST" ? deployment : { ...deployment, state: "Failed", failure });
    const ran = await service.elastic(["deploy", "--service", SERVICE.service_id, "--image", "builtin:i"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      "Deployment dd\n| one\n| two\nerror: The deployment failed as the image was pulled: image_unavailable: The registry has no such tag.\n" +
        "Correct the image or its settings and run `elastic deploy` again.\n",
    );
  });

  test.each([[["--env", "novalue"]], [["--min", "-1"]], [["--max", "1.5"]], [[]]])(
    "with %j is a usage error",
    async (args) => {
      const given = args.length === 0 ? [] : ["--image", "i", ...args];
      expect((await service.elastic(["deploy", ...given])).code).toBe(2);
    },
  );
});
