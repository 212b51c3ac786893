import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { useId, useMemo, useState } from "react";
import { endWords as words } from "../words/ends.ts";

const dayMs = 86_400_000;
const days = [1, 7, 30, 90] as const;

/** When an assignment ends: in some days, at a time that is entered, or never. */
export function useEnd() {
  const field = useId();
  const [chosen, setChosen] = useState("never");
  const [entered, setEntered] = useState("");
  // It stays the same from one look at it to the next.
  const ms = useMemo(
    () => (chosen === "at" ? new Date(entered).getTime() : Date.now() + Number(chosen) * dayMs),
    [chosen, entered],
  );
  const end = useMemo((): Timestamp | undefined => (Number.isNaN(ms) ? undefined : timestampFromMs(ms)), [ms]);
  const hasPassed = ms <= Date.now();
  return {
    /** Whether a time is still to be entered, or has passed. */
    isMissing: chosen === "at" && !(ms > Date.now()),
    /** Undefined if it never ends. */
    end,
    field: (
      <div className="field">
        <label htmlFor={field}>{words.ends}</label>
        <select id={field} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="never">{words.never}</option>
          {days.map((many) => (
            <option key={many} value={many}>
              {words.after(many)}
            </option>
          ))}
          <option value="at">{words.at}</option>
        </select>
        {chosen === "at" && (
          <input
            type="datetime-local"
            aria-label={words.time}
            aria-invalid={hasPassed}
            value={entered}
            onChange={({ target }) => setEntered(target.value)}
          />
        )}
        {chosen === "at" && hasPassed && <span className="hint">{words.hasPassed}</span>}
      </div>
    ),
  };
}
