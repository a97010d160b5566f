/** Lines of a log, of which only those within the box are in the page. Following, the newest is in view. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type UIEvent, useEffect, useRef, useState } from "react";
import classes from "./log.module.css";
import type { LogLine } from "./log-buffer.ts";
import { LogLineRow } from "./log-line-row.tsx";

const LINE_HEIGHT_PX = 24;
const LINES_BEYOND = 20;
/** Nearer than this to the end, a reader is at the end. */
const END_PX = 40;

interface LogViewProps {
  readonly lines: readonly LogLine[];
  readonly isFollowing: boolean;
  /** The reader scrolled away from the end, or back to it. */
  readonly onFollow: (isFollowing: boolean) => void;
}

export function LogView({ lines, isFollowing, onFollow }: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT_PX,
    overscan: LINES_BEYOND,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines, rows]);
  const scrolledTo = useRef(0);
  // Only a reader scrolls up.
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    if (isAtEnd) onFollow(true);
    else if (scrollTop < scrolledTo.current) onFollow(false);
    scrolledTo.current = scrollTop;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <div ref={box} className={classes.log} role="log" aria-label="Log" aria-live="off" tabIndex={0} onScroll={onScroll}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              style={{ position: "absolute", insetInline: 0, transform: `translateY(${start}px)` }}
            >
              <LogLineRow
                of={line}
                isExpanded={expanded.has(line.id)}
                onExpand={() => setExpanded((ids) => new Set(ids).add(line.id))}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
