/** A line of a log, as text. A long one shows its beginning, and more of it on demand. */
import { Anchor, Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { shortened } from "../text/shortened.ts";
import { visibleLine } from "../text/visible-text.ts";
import classes from "./log.module.css";
import type { LogLine } from "./log-buffer.ts";

/** What a browser lays out at once, also on one line. */
const CHARS_SHOWN = 2_000;
const CHARS_SHOWN_EXPANDED = 50_000;
/** Ids begin with the time: those of tasks that ran together differ at their end. */
const ID_CHARS = 6;

interface LogLineRowProps {
  readonly of: LogLine;
  readonly isExpanded: boolean;
  readonly onExpand: () => void;
}

export function LogLineRow({ of: { taskId, attempt, text, cut }, isExpanded, onExpand }: LogLineRowProps) {
  const { shown, isCut } = shortened(text, isExpanded ? CHARS_SHOWN_EXPANDED : CHARS_SHOWN);
  const missing = text.length - shown.length + cut;
  return (
    <div className={classes.line}>
      <Anchor
        size="xs"
        ff="monospace"
        renderRoot={(props) => <Link to="/tasks/$taskId" params={{ taskId }} {...props} />}
        aria-label={`Task ${taskId}, attempt ${attempt}`}
      >
        {taskId.slice(-ID_CHARS)}
      </Anchor>
      <Text component="span" size="sm" ff="monospace" dir="ltr" className={classes.text}>
        {visibleLine(shown)}
        {missing > 0 && (
          <>
            {" "}
            {isCut && !isExpanded ? (
              <Button size="compact-xs" variant="light" onClick={onExpand}>
                Show more of {text.length.toLocaleString()} characters
              </Button>
            ) : (
              <Anchor size="xs" href={`/v1/tasks/${taskId}/logs?attempt=${attempt}`} download={`${taskId}.log`}>
                {missing.toLocaleString()} more characters: download the log
              </Anchor>
            )}
          </>
        )}
      </Text>
    </div>
  );
}
