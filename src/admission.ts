import type { ServerResponse } from "node:http";

export type Admission = {
  /** Counts a request until its connection is done with the answer; false when there is no room for it. */
  admit(response: ServerResponse): boolean;
  inFlight(): number;
};

/**
 * Lets in no more requests than can be answered in time. The rest is refused before anything of it is read, which costs
 * next to nothing, so that the time is left for those that are in.
 *
 * @param isBusy whether what is in has more waiting behind it already than should be
 */
export function admission(maximumInFlight: number, isBusy: () => boolean): Admission {
  let inFlight = 0;
  return {
    admit(response) {
      if (inFlight >= maximumInFlight || isBusy()) return false;
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
      });
      return true;
    },
    inFlight: () => inFlight,
  };
}
