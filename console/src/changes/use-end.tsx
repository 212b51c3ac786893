import type { Authorization } from "@authorization-service/client";
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { useId, useMemo, useState } from "react";
import { inZone } from "../parts/moment.tsx";
import { endWords as words } from "../words/ends.ts";

const dayMs = 86_400_000;
const days = [1, 7, 30, 90] as const;

/** When an assignment ends: in some days, at a time that is entered, or never. Empty, it is still to be chosen. */
export function useEnd(first: "never" | "") {
  const field = useId();
  const [chosen, setChosen] = useState<string>(first);
  const [entered, setEntered] = useState("");
  // It stays the same from one look at it to the next.
  const end = useMemo((): Timestamp | undefined => {
    const ms = chosen === "at" ? new Date(entered).getTime() : Date.now() + Number(chosen) * dayMs;
    return Number.isNaN(ms) ? undefined : timestampFromMs(ms);
  }, [chosen, entered]);
  const hasPassed = end !== undefined && timestampMs(end) <= Date.now();
  return {
    /** Whether it is still to be chosen, or its time is still to be entered, or has passed. */
    isMissing: chosen === "" || (chosen === "at" && (end === undefined || hasPassed)),
    /** Undefined if it never ends. */
    end,
    field: (
      <div className="field">
        <label htmlFor={field}>{words.ends}</label>
        <select id={field} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {first === "" && <option value="" disabled label={words.choose} />}
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

/** When the assignments end now: such as `Dec 4, 2026, 10:00 AM`, or from the first to the last of them. */
export function endsOf(rows: readonly Authorization[]): string {
  const ends = rows.flatMap(({ expirationDate }) => (expirationDate ? timestampMs(expirationDate) : []));
  if (ends.length === 0) return words.never;
  const range = inZone.formatRange(Math.min(...ends), Math.max(...ends));
  return ends.length < rows.length ? words.orNever(range) : range;
}
