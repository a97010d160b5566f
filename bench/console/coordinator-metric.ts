/** A figure without labels, as the coordinator exports it to Prometheus. */

export async function coordinatorMetric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`${metricsUrl} does not have ${name}`);
  return Number(line.split(" ")[1]);
}
