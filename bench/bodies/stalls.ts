// Loaded into the server before its own code: tells how long its event loop was held since the last question.

import { monitorEventLoopDelay } from "node:perf_hooks";

const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();

process.on("message", (message) => {
  if (message !== "stalls") return;
  const longest = Math.max(0, delays.max / 1e6 - resolution);
  delays.reset();
  process.send?.(longest);
});
// The question alone keeps no server running.
process.channel?.unref();
