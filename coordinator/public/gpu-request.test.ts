import { describe, expect, test } from "vitest";
import { deploymentRequestSchema, settingsOf } from "./deployment-request.ts";
import { shellRequestSchema, toShell } from "./shell-request.ts";

function deployed(resources: object) {
  const requested = deploymentRequestSchema.safeParse({ image: "registry:1/prover", resources });
  return requested.success
    ? settingsOf(requested.data).resources
    : requested.error.issues.map(({ path }) => path.join("/"));
}

function shell(body: object) {
  const requested = shellRequestSchema.safeParse(body);
  return requested.success
    ? toShell(requested.data).resources
    : requested.error.issues.map(({ path }) => path.join("/"));
}

describe("a GPU", () => {
  test.each([
    [{}, 0],
    [{ gpu_model: "H100" }, 1],
    [{ gpu_memory_bytes: 40e9 }, 1],
    [{ gpu_mig_profile: "1g.10gb" }, 1],
    [{ gpu_count: 2, gpu_model: "H100" }, 2],
    [{ gpu_count: 1 }, 1],
    [{ gpu_count: 0 }, 0],
    [{ node_labels: { zone: "a" } }, 0],
  ])("is requested by any of its members: %j", (resources, gpuCount) => {
    expect(deployed(resources)).toMatchObject({ gpuCount });
    if (!("gpu_count" in resources && resources.gpu_count === 0)) {
      const { gpu_model: gpu_type = null, ...rest } = resources as { gpu_model?: string };
      expect(shell({ ...rest, gpu_type })).toMatchObject({ gpuCount, gpuModel: gpu_type });
    }
  });

  test.each([
    [{ gpu_count: 0, gpu_model: "H100" }, "gpu_model"],
    [{ gpu_count: 0, gpu_memory_bytes: 1 }, "gpu_memory_bytes"],
    [{ gpu_count: 0, gpu_mig_profile: "1g.10gb" }, "gpu_mig_profile"],
    [{ gpu_count: 2, gpu_mig_profile: "1g.10gb" }, "gpu_count"],
    [{ gpu_mig_profile: "half" }, "gpu_mig_profile"],
    [{ gpu_mig_profile: "" }, "gpu_mig_profile"],
    [{ gpu_memory_bytes: -1 }, "gpu_memory_bytes"],
  ])("is refused where no machine could mean it: %j", (resources, member) => {
    expect(deployed(resources)).toEqual([`resources/${member}`]);
    if (!("gpu_count" in resources && resources.gpu_count === 0)) expect(shell(resources)).toEqual([member]);
  });
});

describe("labels of nodes", () => {
  test("are taken as agents give them", () => {
    const nodeLabels = { zone: "a", "rack.row/x_1": "" };
    expect(deployed({ node_labels: nodeLabels })).toMatchObject({ nodeLabels });
    expect(shell({ node_labels: nodeLabels })).toMatchObject({ nodeLabels });
  });

  test.each([{ "": "a" }, { "a b": "c" }, { a: "b,c" }, { ["a".repeat(64)]: "b" }, { a: "b".repeat(64) }, { a: 1 }])(
    "are refused where no agent has them: %j",
    (labels) => {
      expect(deployed({ node_labels: labels })).toEqual([expect.stringMatching(/^resources\/node_labels/)]);
    },
  );

  test("are refused in numbers", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`label-${n}`, "v"]));
    expect(deployed({ node_labels: many })).toEqual(["resources/node_labels"]);
  });
});
