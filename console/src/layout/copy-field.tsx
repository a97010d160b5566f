/** Text that is there to be copied, on one line. What is copied is the text itself, unseen characters included. */
import { Button, Code, CopyButton, Group } from "@mantine/core";
import { visibleLine } from "../text/visible-text.ts";

export function CopyField({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" maw="100%">
      <Code style={{ overflowX: "auto", whiteSpace: "pre" }} tabIndex={0} aria-label={label}>
        {visibleLine(text)}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" flex="none" onClick={copy} aria-label={`Copy ${label}`}>
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
