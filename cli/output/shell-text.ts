/** Shells as the commands print them. */
import type { ShellRecord, ShellWithPassword } from "../api/records.ts";
import { columns } from "./columns.ts";
import { fieldLines } from "./fields.ts";
import { sizeText } from "./size-text.ts";

export function shellText(shell: ShellRecord & Partial<Pick<ShellWithPassword, "password">>): string {
  const { hostname, port, username, failure } = shell;
  return fieldLines([
    ["shell id", shell.shell_id],
    ["shell name", shell.shell_name],
    ["team name", shell.team_name],
    ["state", stateText(shell)],
    ...(shell.notice === null ? [] : [["notice", shell.notice] as const]),
    ...(failure === null ? [] : [["failed", `${failure.reason}: ${failure.message}`] as const]),
    ["created", shell.created],
    ["expires", shell.expires],
    ["image", shell.image],
    ["gpu type", gpuText(shell)],
    ["home", sizeText(shell.home_bytes)],
    ...(shell.egress.length === 0 ? [] : [["egress", shell.egress.join(", ")] as const]),
    ["username", username],
    ...(shell.password === undefined ? [] : [["password", passwordText(shell.password, shell)] as const]),
    ["hostname", hostname],
    ["port", port],
    ["host key", shell.host_key_fingerprint],
    ["command", hostname === null ? null : `ssh -p ${port} ${username}@${hostname}`],
  ]);
}

export function shellLines(shells: readonly ShellRecord[]): string {
  return columns(
    ["SHELL NAME", "SHELL ID", "STATE", "GPU TYPE", "IMAGE", "CREATED", "EXPIRES"],
    shells.map((shell) => [
      shell.shell_name,
      shell.shell_id,
      shell.state,
      gpuText(shell),
      shell.image,
      shell.created,
      shell.expires,
    ]),
  );
}

function stateText({ state, waiting_for: waitingFor, stopped_by: by }: ShellRecord): string {
  if (waitingFor !== null) return `${state}, waiting for ${waitingFor}`;
  return by === null || by === "user" ? state : `${state} (${by})`;
}

function gpuText({ gpu_type: type, gpu_count: count }: ShellRecord): string | null {
  return type === null || count < 2 ? type : `${count} x ${type}`;
}

function passwordText(password: string | null, { password_login: opens }: ShellRecord): string | null {
  return opens ? password : "off, authorised keys only";
}
