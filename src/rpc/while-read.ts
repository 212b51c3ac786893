/** How many bytes are handed over at once. That a whole message waits says nothing of whether its client reads. */
const pieceBytes = 16_384;

/** How long a client may take nothing, in milliseconds. */
const patienceMs = 5_000;

/** The same body, but gives up if its client takes nothing for some seconds. */
export async function* whileRead(
  body: AsyncIterable<Uint8Array> | undefined,
  giveUp: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body ?? []) {
    for (let from = 0; from < chunk.byteLength; from += pieceBytes) {
      const timer = setTimeout(giveUp, patienceMs).unref();
      // The next piece is asked for when there is room for it.
      yield chunk.subarray(from, from + pieceBytes);
      clearTimeout(timer);
    }
  }
}
