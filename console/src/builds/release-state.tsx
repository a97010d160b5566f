/** What followed a build: how far its deployment is. */
import { Anchor, Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Build } from "./builds-query.ts";

const COLORS = { waiting: "yellow", deploying: "blue", released: "green", failed: "red", superseded: "gray" } as const;
const WORDS = {
  waiting: "Waiting",
  deploying: "Deploying",
  released: "Deployed",
  failed: "Not deployed",
  superseded: "Superseded",
} as const;

/** Nothing for what is built only. It leads to the deployments once there is one. */
export function ReleaseState({ of: { release, phase, service_id: serviceId } }: { readonly of: Build }) {
  if (release === null) return null;
  const color = phase === "cancelled" ? "gray" : COLORS[release.state];
  const badge = (
    <Badge color={color} miw="max-content">
      {WORDS[release.state]}
    </Badge>
  );
  if (release.deployment_id === null) return badge;
  return (
    <Anchor
      underline="always"
      renderRoot={(props) => <Link to="/services/$serviceId/deployments" params={{ serviceId }} {...props} />}
    >
      {badge}
    </Anchor>
  );
}
