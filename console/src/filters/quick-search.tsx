import { type FormEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { longestText } from "../pickers/found.ts";

/** How long somebody pauses before what they typed is looked for, in milliseconds. */
const pause = 250;

type Props = { text: string; onChange: (text: string) => void; isFull: boolean };

/** Looks for users while somebody types. */
export function QuickSearch({ text, onChange, isFull }: Props) {
  const hint = useId();
  // The address follows what was applied; when it says something else, somebody went to another view.
  const [{ typed, applied, given }, setState] = useState({ typed: text, applied: text, given: text });
  if (text !== given) {
    setState({ typed: text === applied ? typed : text, applied: text, given: text });
  }

  // What a link looks for stays as it is, however it is written, until somebody types.
  const wanted = typed === applied ? applied : cleaned(typed);

  function apply() {
    if (wanted === applied) return;
    setState((state) => ({ ...state, applied: wanted }));
    onChange(wanted);
  }
  const applyAfterPause = useEffectEvent(apply);
  useEffect(() => {
    if (wanted === applied) return;
    const timer = setTimeout(() => applyAfterPause(), pause);
    return () => clearTimeout(timer);
  }, [wanted, applied]);

  function applyAtOnce(event: FormEvent) {
    event.preventDefault();
    apply();
  }

  return (
    <form className="quick-search" onSubmit={applyAtOnce}>
      <input
        type="search"
        aria-label="Search users"
        aria-describedby={isFull ? hint : undefined}
        placeholder="Search users"
        maxLength={longestText}
        autoComplete="off"
        spellCheck={false}
        disabled={isFull}
        value={typed}
        onChange={({ target }) => setState((state) => ({ ...state, typed: target.value }))}
      />
      {isFull && (
        <span id={hint} className="visually-hidden">
          Remove a filter first: there are as many as there can be.
        </span>
      )}
    </form>
  );
}

/** No name has these characters, and the service refuses them. */
function cleaned(typed: string): string {
  return typed.toWellFormed().replaceAll("\0", "").trim();
}
