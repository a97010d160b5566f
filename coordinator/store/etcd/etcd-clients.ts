/**
 * The connections to etcd, one for each way of failing: a call without a response ends its connection, which must end
 * neither transactions on their way, whose outcome nobody would know then, nor watches and leases. All of them go to the
 * same member, and turn to the next one together.
 */
import { AuthService } from "@elastic/proto/gen/etcd/auth.ts";
import { channelCredentials, type EtcdCredentials } from "./etcd-credentials.ts";
import { EtcdLogin } from "./etcd-login.ts";
import { EtcdMembers } from "./etcd-members.ts";
import { EtcdStreams } from "./etcd-streams.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import { UnaryChannel } from "./unary-channel.ts";

/** A call without a deadline hangs for as long as etcd is frozen. */
const CALL_TIMEOUT_MS = 2000;
/** A page of the largest records, with room. */
const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

export interface EtcdClients {
  /** Sends once. */
  readonly transactions: UnaryChannel;
  /** Sends again what failed: for what does no harm twice. */
  readonly reads: RepeatedCalls;
  /** Of watches and leases; these open another when one ends. */
  readonly streams: EtcdStreams;
  /** Whose token all of them send. */
  readonly login: EtcdLogin;
  close(): void;
}

export function connectClients(endpoints: readonly string[], credentials: EtcdCredentials): EtcdClients {
  const members = new EtcdMembers(endpoints);
  const login = new EtcdLogin(
    () => credentials.login(),
    async (user) => (await reads.callWithoutToken(AuthService.authenticate, user)).token,
  );
  const tls = () => credentials.tls();
  const unary = { members, tls, login, timeoutMs: CALL_TIMEOUT_MS, answerBytesMax: MESSAGE_BYTES_MAX };
  const transactions = new UnaryChannel(unary);
  const channelOfReads = new UnaryChannel(unary);
  const reads = new RepeatedCalls(channelOfReads);
  const isSecure = endpoints.some((endpoint) => endpoint.startsWith("https:"));
  const channel = channelCredentials(isSecure, credentials);
  const streams = new EtcdStreams({ members, channel, login, messageBytesMax: MESSAGE_BYTES_MAX });
  return {
    transactions,
    reads,
    streams,
    login,
    close: () => {
      for (const client of [transactions, channelOfReads, streams]) client.close();
      credentials.stop();
    },
  };
}
