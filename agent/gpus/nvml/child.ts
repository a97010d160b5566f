/**
 * Queries the driver in a separate process: `node child.ts <library>`, with a channel to the agent. One request at a
 * time; the response to the last one ends nothing, the end of the channel does.
 */
import { bindNvml, check, type Nvml } from "./bind.ts";
import { XidEvents } from "./events.ts";
import type { Answer, Question } from "./messages.ts";
import { readGpus } from "./read-gpus.ts";

const [libraryPath = ""] = process.argv.slice(2);
let opened: { readonly nvml: Nvml; readonly events: XidEvents } | null = null;

function open(): { readonly nvml: Nvml; readonly events: XidEvents } {
  if (opened !== null) return opened;
  const nvml = bindNvml(libraryPath);
  check(nvml, nvml.init(), "nvmlInit_v2");
  opened = { nvml, events: new XidEvents(nvml) };
  return opened;
}

function answer({ waitMs }: Question): Answer {
  try {
    const isFirst = opened === null;
    const { nvml, events } = open();
    // What happens from here on is observed: the devices are followed before the first wait.
    if (isFirst) events.follow(readGpus(nvml).devices);
    const received = events.wait(isFirst ? 0 : waitMs);
    const { gpus, unread, devices } = readGpus(nvml);
    events.follow(devices);
    return { kind: "read", reading: { gpus, unread, events: received } };
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

process.on("message", (question: Question) => process.send?.(answer(question)));
process.on("disconnect", () => process.exit());
