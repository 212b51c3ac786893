import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { streamOf } from "./give-up.ts";
import { type HostProbe, type HostState, openProbe } from "./host-probe.ts";

export type Hosts = ReturnType<typeof openHosts>;

/** How long to wait before a host is asked again, in milliseconds. */
const pauseMs = 300;

/** The hosts that can be the primary, of which one is. */
export function openHosts(urls: readonly string[]) {
  const probes = urls.map((url) => openProbe(url));
  const connected = new Map<pg.Client, string>();
  const closing = new AbortController();
  let current = urls[0] ?? "";
  let known: HostState | undefined;
  let onMove: (url: string) => void = () => {};

  class OnPrimary extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: current });
      connected.set(this, current);
      this.once("end", () => connected.delete(this));
    }
  }

  async function ask(probe: HostProbe): Promise<void> {
    const state = await probe.ask();
    if (closing.signal.aborted || state === undefined || !isPrimaryAfter(state, known)) return;
    known = state;
    if (probe.url === current) return;
    current = probe.url;
    // What runs on the old primary is lost, or its outcome unknown.
    for (const [client, url] of connected) if (url !== current) streamOf(client).destroy();
    onMove(current);
  }

  async function keepAsking(probe: HostProbe): Promise<void> {
    while (!closing.signal.aborted) {
      await ask(probe);
      await sleep(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => {});
    }
  }

  return {
    /** How to connect to the primary. Its URL is read for each new connection, because another host can become it. */
    connection: {
      get connectionString() {
        return current;
      },
    },
    /** Makes the connections of a pool. They are closed when another host becomes the primary. */
    Client: OnPrimary,
    /** Asks all hosts once which one is the primary. */
    async find(): Promise<void> {
      await Promise.all(probes.map(ask));
    },
    /** Asks again and again, until closed. */
    watch(listener: (url: string) => void): void {
      onMove = listener;
      for (const probe of probes) void keepAsking(probe);
    },
    close(): void {
      closing.abort();
      for (const probe of probes) probe.close();
    },
  };
}

/**
 * Whether a host has become the primary after the known one. Each promotion begins a higher timeline, so an old primary
 * that is still alive has a lower one.
 */
export function isPrimaryAfter(state: HostState, known: HostState | undefined): boolean {
  if (!state.isWritable) return false;
  return known === undefined || (state.cluster === known.cluster && state.timeline > known.timeline);
}
