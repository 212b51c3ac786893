import type { ServerResponse } from "node:http";

export type Admission = {
  /**
   * Counts a request until its connection is done with the answer; false when there is no room for it, or it would wait
   * too long for the time it has.
   */
  admit(response: ServerResponse, timeoutMs: number): boolean;
};

/** What is waiting for Postgres: whether that is all that may, and how long the first of it has waited. */
export type Queue = { readonly full: boolean; readonly waitMs: number };

/** A request waits for Postgres twice, for its caller and for its work, and the work needs its time too. */
const shareOfWaiting = 1 / 8;

/**
 * Lets in no more requests than can be answered in time. The rest is refused before anything of it is read, which costs
 * next to nothing, so that the time is left for those that are in.
 */
export function admission(maximumInFlight: number, queue: () => Queue): Admission {
  let inFlight = 0;
  return {
    admit(response, timeoutMs) {
      const { full, waitMs } = queue();
      if (inFlight >= maximumInFlight || full || waitMs > timeoutMs * shareOfWaiting) return false;
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
      });
      return true;
    },
  };
}
