import type { Attack } from "../attack.ts";
import { keepOpen } from "../connections.ts";

export const silentConnections: Attack = {
  what: "5,000 connections that say nothing",
  begin: ({ port }) => keepOpen(5_000, port, () => {}),
};
