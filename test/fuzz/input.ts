import type { DescMethod } from "@bufbuild/protobuf";
import type { CallerName } from "./world.ts";

export type Codec = "json" | "proto";

/** What is done on the connection, in this order. */
export type Step = { readonly send: Buffer } | { readonly pauseMs: number } | { readonly finish: "end" | "reset" };

/** A call of an RPC as it was meant; what the answer is compared with. */
export type Call = {
  readonly method: DescMethod;
  readonly codec: Codec;
  readonly caller: CallerName | undefined;
  readonly plain: Uint8Array;
};

/** Something a client sends, friendly or not. The same seed and index make the same input. */
export type Input = {
  /** What kind of trick it is, for people. */
  readonly kind: string;
  readonly steps: readonly Step[];
  /**
   * How many answers have to come: exactly so many; `some`: at least one, or the connection is closed, as HTTP lets a
   * server do with what it cannot read; `none`: the client left and hears nothing.
   */
  readonly answers: number | "some" | "none";
  /** One complete request, so that the next one can follow on the same connection. */
  readonly keepsAlive: boolean;
  /** Set when the request is one that the model understands, unless it is malformed. */
  readonly call?: Call;
};

/** All that is sent, one after the other. */
export function sentBy(input: Input): Buffer {
  return Buffer.concat(input.steps.flatMap((step) => ("send" in step ? [step.send] : [])));
}

/** The commands that send the input again by hand. */
export function print(input: Input): string {
  const lines = input.steps.map((step) => {
    if ("pauseMs" in step) return `sleep ${step.pauseMs / 1_000}`;
    if ("finish" in step)
      return `# the client ${step.finish === "end" ? "sends nothing more" : "resets the connection"}`;
    return `printf '%b' '${escaped(step.send)}'`;
  });
  return lines.join("\n");
}

function escaped(bytes: Buffer): string {
  let text = "";
  for (const byte of bytes) {
    if (byte === 13) text += "\\r";
    else if (byte === 10) text += "\\n";
    else if (byte < 32 || byte > 126 || byte === 39 || byte === 92) text += `\\x${byte.toString(16).padStart(2, "0")}`;
    else text += String.fromCharCode(byte);
  }
  return text;
}
