import type { Attack } from "./attack.ts";
import { costlyOverviews } from "./attacks/costly-overviews.ts";
import { costlyUsers } from "./attacks/costly-users.ts";
import { continuationFlood, pingFlood, settingsFlood } from "./attacks/frame-floods.ts";
import { idleConnections } from "./attacks/idle-connections.ts";
import { brotliBodies, gzipBodies } from "./attacks/packed-bodies.ts";
import { pipelinedRequests } from "./attacks/pipelined-requests.ts";
import { rapidResets } from "./attacks/rapid-resets.ts";
import { silentConnections } from "./attacks/silent-connections.ts";
import { slowReaders } from "./attacks/slow-readers.ts";
import { slowWriters } from "./attacks/slow-writers.ts";
import { healthStreams, reflectionStreams } from "./attacks/standard-streams.ts";
import { unknownKeys } from "./attacks/unknown-keys.ts";
import { unreadOwnLists, unreadRefusedCallers } from "./attacks/unread-answers.ts";
import { unreadAndGone, unreadRefusals } from "./attacks/unread-refusals.ts";

/** Every attack, by the name that `--only` takes. */
export const attacks: Readonly<Record<string, Attack>> = {
  "unread-refusals": unreadRefusals,
  "unread-and-gone": unreadAndGone,
  "pipelined-requests": pipelinedRequests,
  "unread-401": unreadRefusedCallers,
  "unread-own-lists": unreadOwnLists,
  "brotli-bodies": brotliBodies,
  "gzip-bodies": gzipBodies,
  "costly-users": costlyUsers,
  "costly-overviews": costlyOverviews,
  "unknown-keys": unknownKeys,
  "slow-writers": slowWriters,
  "slow-readers": slowReaders,
  "silent-connections": silentConnections,
  "idle-connections": idleConnections,
  "rapid-resets": rapidResets,
  "continuation-flood": continuationFlood,
  "ping-flood": pingFlood,
  "settings-flood": settingsFlood,
  "reflection-streams": reflectionStreams,
  "health-streams": healthStreams,
};
