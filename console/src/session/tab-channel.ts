import type { SignedIn } from "./stored-session.ts";

/** Messages between tabs of the console. Only pages of this origin receive them, and nothing stores them. */
export type Message =
  | { readonly kind: "ask" }
  /** The answer, also sent by a tab that has renewed its token. */
  | { readonly kind: "have"; readonly session: SignedIn; readonly usedAt: number }
  /** A person has signed in. */
  | { readonly kind: "began"; readonly session: SignedIn }
  /** A person has signed out. */
  | { readonly kind: "left"; readonly session: Pick<SignedIn, "id" | "token"> };

export type MessageOf<Kind extends Message["kind"]> = Message & { readonly kind: Kind };

let channel: BroadcastChannel | undefined;

/** Starts to listen. Returns a function to stop. */
export function openTabChannel(hear: (message: Message) => void): () => void {
  try {
    channel = new BroadcastChannel("authorization-console.session");
  } catch {
    // If the browser forbids it, as it may forbid storage, each tab has its own session.
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
