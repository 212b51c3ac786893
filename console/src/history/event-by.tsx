import { Moment } from "../parts/moment.tsx";
import { Actor } from "./actor.tsx";
import { Reason } from "./reason.tsx";

type Event = Parameters<typeof Actor>[0]["of"] & Parameters<typeof Moment>[0] & Parameters<typeof Reason>[0]["of"];

/** Who made a change, when, and why. */
export function EventBy({ event }: { event: Omit<Event, "at"> & { readonly time?: Event["at"] } }) {
  return (
    <div className="line">
      <Actor of={event} />
      <span className="muted">
        <Moment at={event.time} />
      </span>
      <Reason of={event} />
    </div>
  );
}
