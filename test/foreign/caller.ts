import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What a foreign client made of an answer. */
export type Answer = {
  /** In small letters without any separator, because each client spells codes in its own way. */
  readonly code: string;
  readonly message?: string;
  /** Of the google.rpc.ErrorInfo in an error. */
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The types of all details. */
  readonly details?: readonly string[];
  /** Headers and trailers, or what the client shows of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the client writes it in JSON. */
  readonly response?: any;
};

export type Call = {
  readonly rpc: string;
  readonly request: object;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

export type Caller = ReturnType<typeof startCaller>;

/** A program of another language, or with another library, that makes calls and says what came. */
export function startCaller(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  createInterface(child.stdout).on("line", (line) => {
    const { id, code, ...answer } = JSON.parse(line);
    waiting.get(id)?.resolve({ ...answer, code: String(code).replace(/[\s_]/g, "").toLowerCase() });
    waiting.delete(id);
  });
  const ended = whenEnded(child);
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${command} ended: ${said}`));
  });
  let last = 0;

  /** Begins a call that can be cancelled. */
  function begin({ rpc, request, token, headers, timeoutMs }: Call) {
    const id = ++last;
    const answer = Promise.withResolvers<Answer>();
    waiting.set(id, answer);
    const all = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
    child.stdin.write(`${JSON.stringify({ id, rpc, request, headers: all, timeoutMs })}\n`);
    return {
      answer: answer.promise,
      cancel: () => void child.stdin.write(`${JSON.stringify({ id, cancel: true })}\n`),
    };
  }

  return {
    begin,
    call: (call: Call) => begin(call).answer,
    /** Ends the program at once, with everything it is doing. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function whenEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}
