/** The calls that carry bytes, of a coordinator that a test plays: inputs, results and logs. */
import { createHash } from "node:crypto";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type {
  AppendLogsRequest,
  AppendLogsResponse,
  LogAck,
  LogChunk,
  UploadResultRequest,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import type { ScriptedCoordinator } from "./scripted-coordinator.ts";

export interface ScriptedLog {
  text: string;
  complete: boolean;
}

export function scriptBulk(of: () => Pick<ScriptedCoordinator, "script" | "uploads" | "logs">) {
  const logStreams = new Set<ServerDuplexStream<AppendLogsRequest, AppendLogsResponse>>();

  const fetchInput: handleServerStreamingCall<{ attempt: AttemptRef | undefined; offset: bigint }, { data: Buffer }> = (
    call,
  ) => {
    const input = of().script.inputs?.get(call.request.attempt?.taskId ?? "");
    if (input === undefined) {
      call.emit("error", { code: status.NOT_FOUND, details: "no such input" });
      return;
    }
    const from = Number(call.request.offset);
    const breakAfter = of().script.breakInputAfterBytes;
    if (breakAfter !== undefined) {
      delete of().script.breakInputAfterBytes;
      call.write({ data: input.subarray(from, from + breakAfter) });
      call.emit("error", { code: status.UNAVAILABLE, details: "broken off" });
      return;
    }
    for (let at = from; at < input.length; at += 65536) call.write({ data: input.subarray(at, at + 65536) });
    call.end();
  };

  const uploadResult: handleClientStreamingCall<UploadResultRequest, Record<string, never>> = (call, done) => {
    const chunks: Buffer[] = [];
    let taskId = "";
    let sha256 = "";
    call.on("data", ({ message }: UploadResultRequest) => {
      if (message?.$case === "data") chunks.push(message.value);
      else {
        taskId = message?.value.attempt?.taskId ?? "";
        sha256 = message?.value.sha256 ?? "";
      }
    });
    call.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const matches = createHash("sha256").update(bytes).digest("hex") === sha256;
      if (matches) of().uploads.set(taskId, bytes);
      done(matches ? null : { code: status.DATA_LOSS, details: "the digest does not match" }, {});
    });
  };

  const appendLogs: handleBidiStreamingCall<AppendLogsRequest, AppendLogsResponse> = (stream) => {
    let messages = 0;
    logStreams.add(stream);
    stream.on("error", () => void logStreams.delete(stream));
    stream.on("end", () => stream.end());
    stream.on("data", ({ chunks }: AppendLogsRequest) => {
      if (of().script.takesLogs === false) return;
      const acks = chunks.map(keepChunk);
      messages += 1;
      // What it has stored it does not always come to acknowledge.
      if (messages === of().script.breakLogsAfter) {
        stream.emit("error", { code: status.UNAVAILABLE, details: "broken off" });
      } else stream.write({ acks });
    });
  };

  const keepChunk = ({ attempt, offset, data, last }: LogChunk): LogAck => {
    const taskId = attempt?.taskId ?? "";
    const log = of().logs.get(taskId) ?? { text: "", complete: false };
    of().logs.set(taskId, log);
    const from = Number(offset);
    const bytes = Buffer.from(log.text);
    if (from <= bytes.length && !log.complete) {
      log.text = Buffer.concat([bytes, data.subarray(bytes.length - from)]).toString();
      log.complete = last;
    }
    return { attempt, keptBytes: BigInt(Buffer.byteLength(log.text)), refused: false };
  };

  return {
    service: { fetchInput, uploadResult, appendLogs },
    /** Breaks the streams that logs come over. */
    breakLogs: () => {
      for (const stream of logStreams) stream.emit("error", { code: status.UNAVAILABLE, details: "broken off" });
    },
  };
}
