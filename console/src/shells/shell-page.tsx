/** How to log into a shell, and what it has. */
import { Stack, Title } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { bytesText } from "../layout/bytes-text.ts";
import { Facts } from "../layout/facts.tsx";
import { Time } from "../layout/time.tsx";
import { gpuText } from "./gpu-text.ts";
import { ShellAccess } from "./shell-access.tsx";
import { shellQuery } from "./shells-query.ts";

export function ShellPage() {
  const { shellId } = useParams({ from: "/inside/shells/$shellId/" });
  const { data: shell } = useSuspenseQuery(shellQuery(shellId));
  const labels = Object.entries(shell.node_labels).map(([name, value]) => `${name}=${value}`);
  return (
    <Stack>
      {shell.state !== "DELETED" && <ShellAccess of={shell} />}
      <Title order={2} size="h3">
        Resources
      </Title>
      <Facts
        of={{
          GPU: gpuText(shell),
          "GPU memory": shell.gpu_memory_bytes === 0 ? null : `at least ${bytesText(shell.gpu_memory_bytes)}`,
          "CPU cores": shell.cpu_millis / 1000,
          Memory: bytesText(shell.memory_bytes),
          Home: bytesText(shell.home_bytes),
          Image: shell.image,
          "Machine labels": labels.length === 0 ? null : labels.join(", "),
          "May connect to": shell.egress.length === 0 ? "nothing" : shell.egress.join(", "),
          Created: <Time of={shell.created} />,
          Stops: shell.expires === null ? null : <Time of={shell.expires} />,
          "Stops unused after": shell.idle_stop_seconds === null ? "never" : `${shell.idle_stop_seconds / 60} minutes`,
        }}
      />
    </Stack>
  );
}
