/** What connects two processes: Node's `process` or a child process. */
export type Wire = {
  readonly connected: boolean;
  send?(message: object, callback: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
};

/** What answers a message. The signal aborts when the other process needs no answer any more. */
export type Answering = (body: never, over: AbortSignal) => unknown;

/** Messages between the primary process and one worker. */
export type Channel = {
  tell(name: string, body?: unknown): void;
  /** Rejects with the signal's reason if that aborts, or if the other process has ended. */
  ask<T>(name: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  /** Answers messages of this name, whether they are told or asked. */
  on(name: string, answer: Answering): void;
  /** Gives up everything that is under way. */
  end(): void;
};

type Message =
  | { readonly kind: "tell"; readonly name: string; readonly body: unknown }
  | { readonly kind: "ask"; readonly id: number; readonly name: string; readonly body: unknown }
  | { readonly kind: "over"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly body?: unknown; readonly error?: string };

type Waiter = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

export function openChannel(wire: Wire): Channel {
  const answers = new Map<string, Answering>();
  const waiting = new Map<number, Waiter>();
  const underWay = new Map<number, AbortController>();
  let last = 0;

  function send(message: Message): void {
    // It ends soon if it isn't connected.
    if (wire.connected) wire.send?.({ channel: message }, () => {});
  }

  async function answer({ id, name, body }: Message & { kind: "ask" }): Promise<void> {
    const over = new AbortController();
    underWay.set(id, over);
    try {
      const handler = answers.get(name);
      if (handler === undefined) throw new Error(`nothing answers ${name} yet`);
      send({ kind: "answer", id, body: await handler(body as never, over.signal) });
    } catch (error) {
      send({ kind: "answer", id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      underWay.delete(id);
    }
  }

  function settle({ id, body, error }: Message & { kind: "answer" }): void {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(body as never);
    else waiter?.reject(new Error(error));
  }

  wire.on("message", (received) => {
    const message = (received as { channel?: Message }).channel;
    if (message?.kind === "tell") answers.get(message.name)?.(message.body as never, never);
    else if (message?.kind === "ask") void answer(message);
    else if (message?.kind === "over") underWay.get(message.id)?.abort();
    else if (message?.kind === "answer") settle(message);
  });

  return {
    tell: (name, body) => send({ kind: "tell", name, body }),
    ask(name, body, signal) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const giveUp = () => {
          waiting.delete(id);
          send({ kind: "over", id });
          reject(signal?.reason);
        };
        const listen = (done: (value: never) => void) => (value: never) => {
          signal?.removeEventListener("abort", giveUp);
          done(value);
        };
        signal?.addEventListener("abort", giveUp, { once: true });
        waiting.set(id, { resolve: listen(resolve), reject: listen(reject as (value: never) => void) as never });
        if (!wire.connected) return settle({ kind: "answer", id, error: ended });
        send({ kind: "ask", id, name, body });
      });
    },
    on: (name, handler) => void answers.set(name, handler),
    end() {
      for (const over of underWay.values()) over.abort(new Error(ended));
      for (const id of [...waiting.keys()]) settle({ kind: "answer", id, error: ended });
    },
  };
}

const never = new AbortController().signal;
const ended = "the other process has ended";
