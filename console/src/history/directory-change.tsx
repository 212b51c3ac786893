import "./event-change.css";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import { DifferenceLine } from "./difference-line.tsx";
import { directoryChangeOf } from "./differences.ts";
import { Fact, restOf } from "./fact.tsx";
import type { Names } from "./names.ts";

/** A change of the directory: a sentence, and below it what the sentence leaves out. */
export function DirectoryChange(props: { event: DirectoryEvent; names: Names; hasLinks?: boolean }) {
  const { event, names } = props;
  const rest = restOf(event, names);
  return (
    <div className="event-change">
      <strong>
        <Fact {...props} />
      </strong>
      {rest.length > 0 && (
        <dl className="differences-of-event">
          {rest.map((difference) => (
            <DifferenceLine
              key={difference.field}
              difference={difference}
              effect={directoryChangeOf(event).effect}
              names={names}
            />
          ))}
        </dl>
      )}
    </div>
  );
}
