/** xterm.js in an element, joined with the connection of a shell. */
import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { styleNonce } from "../../theme/style-nonce.ts";
import { keepStylesWithinPolicy } from "./styles-within-policy.ts";
import { type LinkState, TerminalLink } from "./terminal-link.ts";

export interface RunningTerminal {
  connect(): void;
  copy(): Promise<void>;
  paste(): Promise<void>;
  focus(): void;
  setScreenReader(isOn: boolean): void;
  dispose(): void;
}

export interface TerminalOptions {
  readonly shellId: string;
  readonly changed: (state: LinkState) => void;
  /** The user leaves it by keyboard. */
  readonly left: () => void;
}

const SCROLLBACK_LINES = 10_000;
/** WCAG 2.2, 1.4.3. */
const CONTRAST = 4.5;

export function startTerminal(element: HTMLElement, { shellId, changed, left }: TerminalOptions): RunningTerminal {
  const restoreStyles = keepStylesWithinPolicy(styleNonce());
  const terminal = new Terminal({
    scrollback: SCROLLBACK_LINES,
    minimumContrastRatio: CONTRAST,
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    // Links that a program prints are text: where they lead is anybody's.
    linkHandler: { activate: () => undefined },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(element);
  fit.fit();

  let wasOpen = false;
  const note = (text: string) => terminal.write(`\r\n\x1b[33m${printable(text)}\x1b[0m\r\n`);
  const link = new TerminalLink(shellId, {
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    show: (bytes, shown) => terminal.write(bytes, shown),
    note,
    changed: (state) => {
      if (state.kind === "open" && wasOpen) note("Connected again: this is a new session.");
      wasOpen ||= state.kind === "open";
      if (state.kind === "cut" || state.kind === "ended") note(state.why);
      changed(state);
    },
  });
  terminal.onData((text) => link.type(text));
  terminal.onBinary((text) => link.typeBytes(text));
  terminal.onResize(({ cols, rows }) => link.resize(cols, rows));
  const copy = async () => {
    if (terminal.hasSelection()) await navigator.clipboard.writeText(terminal.getSelection());
  };
  terminal.attachCustomKeyEventHandler((event) => {
    const key = event.type === "keydown" && event.ctrlKey && event.shiftKey ? event.code : "";
    if (key === "KeyC") void copy();
    if (key === "KeyX") left();
    if (key === "KeyC" || key === "KeyX") event.preventDefault();
    // The browser itself pastes.
    return key !== "KeyC" && key !== "KeyX" && key !== "KeyV";
  });
  const resized = new ResizeObserver(() => fit.fit());
  resized.observe(element);
  link.connect();
  return {
    connect: () => link.connect(),
    copy,
    paste: async () => terminal.paste(await navigator.clipboard.readText()),
    focus: () => terminal.focus(),
    setScreenReader: (isOn) => {
      terminal.options.screenReaderMode = isOn;
    },
    dispose: () => {
      resized.disconnect();
      link.close();
      terminal.dispose();
      restoreStyles();
    },
  };
}

/** Lines of the service itself move no cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
