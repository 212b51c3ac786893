import type { Ending } from "./session.ts";
import type { SignedIn } from "./stored-session.ts";

/** What tabs of the console tell each other. Only pages of this origin hear it, and nothing keeps it. */
export type Message =
  | { readonly kind: "ask" }
  /** The answer, and what a tab tells that has renewed its session. */
  | { readonly kind: "have"; readonly session: SignedIn; readonly usedAt: number }
  /** A person has signed in. */
  | { readonly kind: "began"; readonly session: SignedIn }
  | { readonly kind: "over"; readonly session: Pick<SignedIn, "id" | "token" | "renewals">; readonly ending: Ending };

export type MessageOf<Kind extends Message["kind"]> = Message & { readonly kind: Kind };

let channel: BroadcastChannel | undefined;

/** Begins to listen. Answers with what ends that. */
export function openTabChannel(hear: (message: Message) => void): () => void {
  try {
    channel = new BroadcastChannel("authorization-console.session");
  } catch {
    // Where the browser forbids it, as it may forbid storage, each tab has a session of its own.
    return () => {};
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return () => {
    channel?.close();
    channel = undefined;
  };
}

export function tellOtherTabs(message: Message): void {
  channel?.postMessage(message);
}
