/** One answer as it came over the connection. */
export type Answer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
};

export type AnswerReader = ReturnType<typeof answerReader>;

/** Reads answers from what came over a connection. Interim ones are skipped. */
export function answerReader() {
  const answers: Answer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let broken: string | undefined;
  function read(isOver: boolean): void {
    for (;;) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0 || broken !== undefined) return;
      const head = readHead(rest.subarray(0, end).toString("latin1"));
      if (typeof head === "string") {
        broken = head;
        return;
      }
      const isInterim = head.status < 200;
      const found = isInterim
        ? { body: Buffer.alloc(0), next: end + 4 }
        : readBody(rest, end + 4, head.headers, isOver);
      if (found === undefined) return;
      rest = rest.subarray(found.next);
      if (!isInterim) answers.push({ ...head, body: found.body });
    }
  }
  return {
    answers: answers as readonly Answer[],
    add(chunk: Buffer) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      read(false);
    },
    /** No more comes; an answer without a length is complete now. */
    end: () => read(true),
    /** What is no answer, or not all of one. */
    get rest() {
      return rest;
    },
    /** Why the rest can be no answer. */
    get broken() {
      return broken;
    },
  };
}

function readHead(text: string): { status: number; headers: Map<string, string> } | string {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [\t -~]*$/.exec(statusLine)?.[1];
  if (status === undefined) return `no status line: ${JSON.stringify(statusLine)}`;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return `no header: ${JSON.stringify(line)}`;
    headers.set(name.toLowerCase(), value.trimEnd());
  }
  return { status: Number(status), headers };
}

type Found = { readonly body: Buffer; readonly next: number };

function readBody(bytes: Buffer, from: number, headers: Map<string, string>, isOver: boolean): Found | undefined {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, from);
  const length = headers.get("content-length");
  if (length === undefined) return isOver ? { body: bytes.subarray(from), next: bytes.length } : undefined;
  const next = from + Number(length);
  return bytes.length >= next ? { body: bytes.subarray(from, next), next } : undefined;
}

function readChunks(bytes: Buffer, from: number): Found | undefined {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    at = end + 2 + size + 2;
    if (bytes.length < at) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), next: at };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
  }
}
