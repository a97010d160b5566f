/** The heading of a page, and what can be done on it. */
import { Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PageTitleProps {
  readonly title: string;
  /** Buttons. */
  readonly children?: ReactNode;
}

export function PageTitle({ title, children }: PageTitleProps) {
  return (
    <Group justify="space-between">
      <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
        {title}
      </Title>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
