/** The services that have a volume deployed. */
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Volume } from "./volumes-query.ts";

export function ServicesOf({ volume: { services } }: { readonly volume: Pick<Volume, "services"> }) {
  if (services.length === 0) return "no service";
  return services.map(({ service_id: serviceId, service_name: name }, place) => (
    <Fragment key={serviceId}>
      {place > 0 && ", "}
      <Anchor renderRoot={(props) => <Link to="/services/$serviceId" params={{ serviceId }} {...props} />}>
        {name}
      </Anchor>
    </Fragment>
  ));
}
