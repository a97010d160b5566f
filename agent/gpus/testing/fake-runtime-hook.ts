/**
 * Stands in for nvidia-container-runtime-hook, which an engine runs as it starts a container to which GPUs were assigned:
 * puts device files into the container, those that a test says.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

export interface FakeHook {
  /** To be on the engine's path. */
  readonly folder: string;
  /** What the next container gets: device files in its /dev. */
  give(devices: readonly { readonly name: string; readonly major: number; readonly minor: number }[]): void;
}

/** The container's mounts are made and it has not begun: its root is still a folder of the host, in its mounts. */
const HOOK = `#!/bin/sh
state=$(cat)
pid=$(printf %s "$state" | sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p')
bundle=$(printf %s "$state" | sed -n 's/.*"bundle":"\\([^"]*\\)".*/\\1/p')
root=$(sed -n 's/.*"root":{"path":"\\([^"]*\\)".*/\\1/p' "$bundle/config.json")
grep -o 'NVIDIA_VISIBLE_DEVICES=[^"]*' "$bundle/config.json" > "\${0%/*}/requested"
while read -r name major minor; do
  nsenter --target "$pid" --mount -- mknod -m 666 "$root/dev/$name" c "$major" "$minor" || exit 1
done < "\${0%/*}/gives"
`;

export function fakeRuntimeHook(): FakeHook {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "nvidia-container-runtime-hook"), HOOK, { mode: 0o755 });
  const give: FakeHook["give"] = (devices) => {
    const lines = devices.map(({ name, major, minor }) => `${name} ${major} ${minor}\n`);
    writeFileSync(join(folder, "gives"), lines.join(""));
  };
  give([]);
  return { folder, give };
}
