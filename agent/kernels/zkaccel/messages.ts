/** Requests to the process that calls the acceleration library, and its messages, a line of JSON each. */
import type { Backend, DeviceInfo } from "./accelerator.ts";
import type { Speed } from "./benchmark.ts";

export type Question =
  | { readonly kind: "info"; readonly backend: Backend }
  | { readonly kind: "self-test"; readonly backend: Backend }
  | { readonly kind: "measure"; readonly backend: Backend; readonly seconds: number; readonly log2: number };

export type ChildMessage =
  /** The process has come up; nothing of the library's has run yet. */
  | { readonly kind: "up" }
  /** What it is doing. */
  | { readonly kind: "doing"; readonly what: string }
  | { readonly kind: "info"; readonly info: DeviceInfo }
  /** `failure` is null for a self-test that was passed. */
  | { readonly kind: "tested"; readonly failure: string | null }
  | { readonly kind: "measured"; readonly info: DeviceInfo; readonly speed: Speed }
  /** The library cannot be used, or not on this device. */
  | { readonly kind: "failed"; readonly why: string };

export type Answer = Exclude<ChildMessage, { readonly kind: "up" | "doing" }>;
