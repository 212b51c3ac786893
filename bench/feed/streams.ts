import { createClient } from "@connectrpc/connect";
import { createConnectTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { median } from "../statistics.ts";

const ofOneConnection = 100;
const openedAtOnce = 50;

export type Streams = {
  /** Resolves with the time at which the last of them told of the next change of an assignment. */
  untilAllTold(id: string): Promise<number>;
  /** How long the streams took to tell of changes, by the times at which the first, second, … of each assignment was asked for. */
  delays(asked: ReadonlyMap<string, number>): { readonly median: number; readonly p99: number };
  end(): void;
};

/** Opens so many streams, of each token as many as of the others, and waits for the first message of each. */
export async function watch(url: string, tokens: readonly string[], count: number): Promise<Streams> {
  const over = new AbortController();
  const managers: Http2SessionManager[] = [];
  const waiting = new Map<string, { left: number; resolve(at: number): void }>();
  /** For each stream, how often it has told of an assignment. */
  const told: { readonly id: string; readonly nth: number; readonly at: number }[] = [];

  async function open(index: number): Promise<void> {
    managers[Math.floor(index / ofOneConnection)] ??= new Http2SessionManager(url);
    const sessionManager = managers[Math.floor(index / ofOneConnection)] as Http2SessionManager;
    const transport = createConnectTransport({ baseUrl: url, httpVersion: "2", sessionManager });
    const client = createClient(AuthorizationHistoryService, transport);
    const headers = { authorization: `Bearer ${tokens[index % tokens.length]}` };
    const messages = client.watchAuthorizations({}, { headers, signal: over.signal })[Symbol.asyncIterator]();
    await messages.next();
    void follow(messages).catch((error) => over.signal.aborted || Promise.reject(error));
  }

  async function follow(messages: AsyncIterator<{ events: readonly { authorizationId: string }[] }>): Promise<void> {
    const seen = new Map<string, number>();
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      const at = performance.now();
      for (const { authorizationId: id } of next.value.events) {
        const nth = seen.get(id) ?? 0;
        seen.set(id, nth + 1);
        told.push({ id, nth, at });
        const one = waiting.get(id);
        if (one === undefined) continue;
        one.left -= 1;
        if (one.left === 0) one.resolve(at);
      }
    }
  }

  // A server refuses those that would wait for too long.
  for (let first = 0; first < count; first += openedAtOnce)
    await Promise.all(Array.from({ length: Math.min(openedAtOnce, count - first) }, (_, index) => open(first + index)));
  return {
    untilAllTold(id) {
      const { promise, resolve } = Promise.withResolvers<number>();
      waiting.set(id, { left: count, resolve });
      return promise.finally(() => waiting.delete(id));
    },
    delays(asked) {
      const all = told
        .map(({ id, nth, at }) => at - (asked.get(`${id} ${nth}`) ?? Number.NaN))
        .filter((delay) => !Number.isNaN(delay))
        .sort((a, b) => a - b);
      return { median: median(all), p99: all[Math.floor(all.length * 0.99)] ?? Number.NaN };
    },
    end() {
      over.abort();
      for (const manager of managers) manager.abort();
    },
  };
}
