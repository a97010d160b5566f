/**
 * In images: exits with 0 where the program in this container serves, by its own settings, else with 1 and the reason. For
 * engines that have no other probe; it is given the program's name.
 */
const TIMEOUT_MS = 4_000;

const PROBES = {
  "elastic-coordinator": () =>
    (process.env.ELASTIC_ROLES ?? "http").includes("http")
      ? `${address("ELASTIC_HTTP_LISTEN", "127.0.0.1:8080")}/readyz`
      : `${address("ELASTIC_METRICS_LISTEN", "127.0.0.1:9464")}/metrics`,
  "elastic-agent": () => `${address("ELASTIC_METRICS_LISTEN", "127.0.0.1:9465")}/metrics`,
};

/** Where it listens on all addresses, the container itself reaches it on loopback. */
function address(variable: string, byDefault: string): string {
  const listens = process.env[variable] || byDefault;
  return `http://${listens.replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:")}`;
}

const url = PROBES[process.argv[2] as keyof typeof PROBES]();
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 300)}`);
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`${url}: ${cause instanceof Error ? cause.message : message}`);
  process.exitCode = 1;
}
