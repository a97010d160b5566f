/** The settings with which etcd is reached: which of them go together. */
import type { EtcdAccess } from "../store/etcd-access.ts";
import { SETTINGS } from "./settings.ts";

interface EtcdSettings {
  readonly etcd: readonly string[];
  readonly etcdCa: string | null;
  readonly etcdCert: string | null;
  readonly etcdKey: string | null;
  readonly etcdUser: string | null;
  readonly etcdPasswordFile: string | null;
}

interface Issue {
  readonly setting: keyof EtcdSettings;
  readonly message: string;
}

const TOGETHER = [
  ["etcdCert", "etcdKey"],
  ["etcdUser", "etcdPasswordFile"],
] as const;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function etcdAccessIssues(settings: EtcdSettings): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [one, other] of TOGETHER) {
    if ((settings[one] === null) === (settings[other] === null)) continue;
    const missing = settings[one] === null ? one : other;
    issues.push({
      setting: missing,
      message: `is required together with ${SETTINGS[missing === one ? other : one].env}`,
    });
  }
  const plain = settings.etcd.filter((endpoint) => endpoint.startsWith("http:"));
  if (plain.length > 0 && plain.length < settings.etcd.length) {
    issues.push({ setting: "etcd", message: "mixes http:// and https://: every member is reached in the same way" });
  }
  for (const setting of ["etcdCa", "etcdCert"] as const) {
    if (settings[setting] === null || plain.length === 0) continue;
    issues.push({ setting, message: `is of no use with ${plain[0]}: write https:// in ELASTIC_ETCD` });
  }
  const open = plain.find((endpoint) => !LOOPBACK.test(new URL(endpoint).hostname));
  if (settings.etcdUser !== null && open !== undefined) {
    issues.push({ setting: "etcdUser", message: `would send a password without TLS to ${open}: write https://` });
  }
  return issues;
}

/** As connections take them. */
export function etcdAccessOf(settings: EtcdSettings): EtcdAccess {
  const { etcdCa: ca, etcdCert: cert, etcdKey: key, etcdUser: user, etcdPasswordFile: passwordFile } = settings;
  return { files: { ca, cert, key, passwordFile }, user };
}
