/** A terminal of the shell, in the page. */
import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { type RunningTerminal, startTerminal } from "./start-terminal.ts";
import type { LinkState } from "./terminal-link.ts";

const STATE_TEXTS: Readonly<Record<LinkState["kind"], string>> = {
  connecting: "Connecting",
  open: "Connected",
  cut: "Connection lost, connecting again",
  ended: "Ended",
};

export function TerminalPage() {
  const { shellId } = useParams({ from: "/inside/shells/$shellId/terminal" });
  const screen = useRef<HTMLDivElement>(null);
  const way = useRef<HTMLButtonElement>(null);
  const running = useRef<RunningTerminal>(null);
  const [state, setState] = useState<LinkState>({ kind: "connecting" });
  const [clipboardIsDenied, setClipboardIsDenied] = useState(false);
  const [isRead, setIsRead] = useLocalStorage({ key: "elastic.screen-reader", defaultValue: false });

  useEffect(() => {
    if (screen.current === null) return;
    const left = () => way.current?.focus();
    const terminal = startTerminal(screen.current, { shellId, changed: setState, left });
    running.current = terminal;
    terminal.focus();
    return () => terminal.dispose();
  }, [shellId]);
  useEffect(() => running.current?.setScreenReader(isRead), [isRead]);

  const act = (action: (terminal: RunningTerminal) => void | Promise<void>) => async () => {
    const terminal = running.current;
    if (terminal === null) return;
    try {
      await action(terminal);
      setClipboardIsDenied(false);
    } catch {
      setClipboardIsDenied(true);
    }
    terminal.focus();
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text role="status">{STATE_TEXTS[state.kind]}</Text>
        <Button ref={way} size="compact-sm" variant="default" onClick={act((terminal) => terminal.copy())}>
          Copy
        </Button>
        <Button size="compact-sm" variant="default" onClick={act((terminal) => terminal.paste())}>
          Paste
        </Button>
        {(state.kind === "ended" || state.kind === "cut") && (
          <Button size="compact-sm" onClick={act((terminal) => terminal.connect())}>
            Reconnect
          </Button>
        )}
        <Switch label="Screen reader" checked={isRead} onChange={(event) => setIsRead(event.currentTarget.checked)} />
      </Group>
      {clipboardIsDenied && <Text c="red">The browser does not let this page use the clipboard.</Text>}
      {state.kind === "ended" && <Text>{state.why}</Text>}
      <section
        ref={screen}
        aria-label="Terminal"
        style={{ height: "calc(100dvh - 300px)", minHeight: 240, overflow: "hidden", background: "#000", padding: 4 }}
      />
      <Text size="sm" c="dimmed">
        Ctrl+Shift+C copies, Ctrl+Shift+V pastes, Ctrl+Shift+X leaves the terminal. A new connection is a new session:
        what ran in the one before has ended.
      </Text>
    </Stack>
  );
}
