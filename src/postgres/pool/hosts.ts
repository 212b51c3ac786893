import pg from "pg";
import { streamOf } from "./give-up.ts";
import { type HostProbe, type HostState, openProbe } from "./host-probe.ts";

/** The hosts that can be the primary, of which one is. */
export type Hosts = {
  /** How to connect to the primary. Its URL is read for each new connection, because another host can become it. */
  readonly connection: pg.ClientConfig;
  /** Makes the connections of a pool. They are closed when another host becomes the primary. */
  readonly Client: new () => pg.Client;
  /** Asks all hosts once which one is the primary. */
  find(): Promise<void>;
  /** Asks again and again, until closed. */
  watch(onMove: (url: string) => void): void;
  close(): void;
};

/** How long to wait before a host is asked again, in milliseconds. */
const pauseMs = 300;

export function openHosts(urls: readonly string[]): Hosts {
  const probes = urls.map((url) => openProbe(url));
  const connected = new Map<pg.Client, string>();
  const timers = new Set<NodeJS.Timeout>();
  let current = urls[0] ?? "";
  let known: HostState | undefined;
  let onMove: (url: string) => void = () => {};
  let isClosed = false;

  class OnPrimary extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: current });
      connected.set(this, current);
      this.once("end", () => connected.delete(this));
    }
  }

  async function ask(probe: HostProbe): Promise<void> {
    const state = await probe.ask();
    if (isClosed || state === undefined || !isPrimaryAfter(state, known)) return;
    known = state;
    if (probe.url === current) return;
    current = probe.url;
    // What runs on the old primary is lost, or its outcome unknown.
    for (const [client, url] of connected) if (url !== current) streamOf(client).destroy();
    onMove(current);
  }

  async function keepAsking(probe: HostProbe): Promise<void> {
    await ask(probe);
    if (isClosed) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void keepAsking(probe);
    }, pauseMs).unref();
    timers.add(timer);
  }

  return {
    connection: {
      get connectionString() {
        return current;
      },
    },
    Client: OnPrimary,
    async find() {
      await Promise.all(probes.map(ask));
    },
    watch(listener) {
      onMove = listener;
      for (const probe of probes) void keepAsking(probe);
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
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
