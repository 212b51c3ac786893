import {
  type Change,
  type ChangeOutcome,
  type DirectoryEvent,
  DirectoryEventSchema,
  type DirectoryThing,
} from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { Fragment } from "react";
import { changeOf } from "../history/change.ts";
import { Differences } from "../history/difference.tsx";
import { useNames } from "../history/names.ts";
import { changeWords as words } from "../words/directory-changes.ts";

type Props = { outcomes: readonly ChangeOutcome[]; title?: string; advice?: string };

/** Says that someone else was faster, what the things are now, and what this dialog would make of them. */
export function ChangedMeanwhile({ outcomes, title = words.changedMeanwhile, advice = words.lookAgain }: Props) {
  const events = outcomes.map(asEvent);
  const names = useNames(events);
  return (
    <section className="notice-failure" role="alert">
      <p>
        <strong>{title}</strong> {advice}
      </p>
      {events.map((event, index) => {
        const { title: happened, effect, differences } = changeOf(event);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: outcomes have the order of the changes, which stays.
          <Fragment key={index}>
            {happened && <p className="visually-hidden">{happened}</p>}
            <Differences differences={differences} effect={effect} names={names} />
          </Fragment>
        );
      })}
    </section>
  );
}

/** An outcome as the history would show it. */
function asEvent({ before, after }: ChangeOutcome): DirectoryEvent {
  return create(DirectoryEventSchema, { ...thingOf("before", before), ...thingOf("after", after) });
}

function thingOf(name: "before" | "after", held: Change | undefined) {
  const thing = held?.change;
  if (thing?.case === undefined || thing.case === "remove" || thing.case === "authorization") return {};
  return { [name]: { thing: thing as DirectoryThing["thing"] } };
}
