/** A body of each request that has one, by operation, as the OpenAPI document shows it. */

const DIGEST = "7853200120776062878684798364095072458815029376092732009249414926327459813530";

const ID = "0199c0de8f3a7c1e9b2d4f6a8c0e1b3d";
/** Of no use anywhere: its checksum is wrong. */
const SECRET = `${ID}_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`;
const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const EXAMPLES: Readonly<Record<string, unknown>> = {
  acceptInvitation: { code: `epi_${SECRET}` },
  addAuthorizedKey: {
    key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop",
    name: "laptop",
  },
  cancelTasks: { filter: { service_id: ID, phase: "queued" } },
  changeMember: { role: "admin" },
  changeService: { result_retention_seconds: 604_800 },
  changeTeam: { name: "research", origins: ["https://app.example.com"] },
  changeWebhook: { types: ["task.succeeded", "deployment.failed"], enabled: true },
  createBatch: { inputs: [{ private_input: [1, 2], public_input: DIGEST }], priority: 1 },
  createBuild: { source: { repository: { ref: "main" } }, base_dir: "provers/poseidon", deploy: true, tag: "v2" },
  createDeployment: {
    image: "images.example.com/provers/poseidon:v1",
    tag: "v1",
    env: { RUST_LOG: "info" },
    resources: { cpu_millis: 4_000, memory_bytes: 17_179_869_184, gpu_model: "H100" },
    scaling: { min: 1, max: 4 },
    limits: { run_timeout_seconds: 3_600 },
  },
  createDeviceCode: { host_name: "laptop", scopes: ["tasks:read", "tasks:write", "services"] },
  createInvitation: { role: "viewer" },
  createSshTicket: {
    client_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop",
  },
  putPool: {
    min: 0,
    max: 8,
    warm_spare: 1,
    cost_per_hour: 2.5,
    budget_per_day: 240,
    offer: {
      gpu_type: "NVIDIA H100 80GB HBM3",
      gpu_count: 1,
      gpu_memory_bytes: 85_899_345_920,
      cpu_cores: 16,
      memory_bytes: 137_438_953_472,
      node_labels: { zone: "eu" },
    },
    driver: { kind: "webhook", url: "https://example.com/pools" },
  },
  createPoolToken: { uses_max: 100, expires_in_seconds: 2_592_000 },
  createJoinToken: { node_name: "gpu-7", expires_in_seconds: 600 },
  createKey: { name: "ci", scopes: ["tasks:read", "tasks:write"], expires_in_seconds: 2_592_000 },
  createOperatedUser: { name: "ada", team_id: ID, role: "member" },
  createService: { service_name: "poseidon" },
  createSession: { login_token: `ell_${SECRET}` },
  createShell: { shell_name: "lab", gpu_type: "H100", longest_life_seconds: 43_200 },
  createSourceRepository: { name: "my-first-prover", template: "poseidon" },
  createTask: { input: { private_input: [1, 2], public_input: DIGEST }, priority: 1 },
  createTeam: { name: "research" },
  createVolume: { name: "proving-keys", files: [{ path: "poseidon.key", sha256: SHA256, bytes: 4_194_304 }] },
  createWebhook: { name: "results", url: "https://example.com/hooks", types: ["task.succeeded", "task.failed"] },
  decideDeviceLogin: { approve: true },
  linkAccount: { provider: "github" },
  putServiceSource: {
    connection_id: ID,
    repository_id: "73214908",
    branch: "main",
    deploy_on_push: true,
  },
  redeemDeviceCode: { device_code: `edc_${SECRET}` },
  retryBuild: { no_cache: true },
  rollBack: { deployment_id: ID },
  startSourceLink: { return_to: "/services" },
};
