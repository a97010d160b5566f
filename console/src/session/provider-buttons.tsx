/** A button for each login provider. They are links: the browser leaves the console. */
import { Button, Stack } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { type LoginSearch, loginAddress } from "./login-search.ts";

interface ProviderButtonsProps {
  readonly providers: readonly components["schemas"]["LoginProvider"][];
  readonly search: LoginSearch;
}

export function ProviderButtons({ providers, search }: ProviderButtonsProps) {
  return (
    <Stack gap="xs">
      {providers.map(({ name, title }) => (
        <Button key={name} component="a" href={loginAddress(name, search)} fullWidth>
          Continue with {title}
        </Button>
      ))}
    </Stack>
  );
}
