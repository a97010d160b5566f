/** Bodies of the main requests, by operation, as the OpenAPI document shows them. */

const DIGEST = "7853200120776062878684798364095072458815029376092732009249414926327459813530";

export const EXAMPLES: Readonly<Record<string, unknown>> = {
  createService: { service_name: "poseidon" },
  createDeployment: {
    image: "images.example.com/provers/poseidon:v1",
    tag: "v1",
    env: { RUST_LOG: "info" },
    resources: { cpu_millis: 4_000, memory_bytes: 17_179_869_184, gpu_model: "H100" },
    scaling: { min: 1, max: 4 },
    limits: { run_timeout_seconds: 3_600 },
  },
  createTask: { input: { private_input: [1, 2], public_input: DIGEST }, priority: 1 },
  createKey: { name: "ci", scopes: ["tasks:read", "tasks:write"], expires_in_seconds: 2_592_000 },
  createWebhook: { name: "results", url: "https://example.com/hooks", types: ["task.succeeded", "task.failed"] },
  createTeam: { name: "research" },
  createInvitation: { role: "viewer" },
  createShell: { shell_name: "lab", gpu_type: "H100", longest_life_seconds: 43_200 },
};
