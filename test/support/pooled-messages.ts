/** A message of Postgres' protocol: a letter, the length, and what the letter means. */
export type Message = { readonly type: string; readonly bytes: Buffer };

/**
 * Cuts a stream into messages.
 *
 * @param first takes what a client begins with, which has no letter; answers whether messages follow
 */
export function messages({
  first,
  each,
}: {
  first?: (bytes: Buffer) => boolean;
  each: (message: Message) => void;
}): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let begun = first === undefined;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = begun ? 1 : 0;
      if (rest.length < head + 4 || rest.length < head + rest.readInt32BE(head)) return;
      const end = head + rest.readInt32BE(head);
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (begun) each({ type: bytes.toString("latin1", 0, 1), bytes });
      else begun = first?.(bytes) ?? true;
    }
  };
}

export function simpleQuery(text: string): Buffer {
  return message("Q", `${text}\0`);
}

/** What goes to a session so that it knows the prepared statement that a message is about. */
export function withStatements(
  client: { readonly statements: Map<string, Message> },
  session: { readonly prepared: Set<string>; readonly preparing: boolean[] },
  sent: Message,
): Message[] {
  const [first = "", second = ""] = sent.bytes.toString("utf8", 5).split("\0");
  const name = sent.type === "B" ? second : first;
  if (sent.type === "P") client.statements.set(name, sent);
  const parse = client.statements.get(name);
  const isKnown = sent.type === "B" && (name === "" || session.prepared.has(name));
  if (!["P", "B"].includes(sent.type) || parse === undefined || isKnown) return [sent];
  session.prepared.add(name);
  session.preparing.push(sent.type === "P");
  // Closing what is not there is no error.
  const close: Message = { type: "C", bytes: message("C", `S${name}\0`) };
  return sent.type === "P" ? [close, sent] : [close, parse, sent];
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}____${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}
