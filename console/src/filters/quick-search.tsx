import { type FormEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { longestText } from "../pickers/found.ts";
import { filterWords } from "../words/filters.ts";

/** How long people must pause before their text is searched, in milliseconds. */
const pause = 250;

type Props = {
  text: string;
  /** Whether it replaces text that was just typed here. Going back then skips that text. */
  onChange: (text: string, how: { continues: boolean }) => void;
  isFull: boolean;
};

/** Searches users as people type. Everything typed before leaving the field is one search. */
export function QuickSearch({ text, onChange, isFull }: Props) {
  const hint = useId();
  // The address follows the applied text. If it differs, the person has gone to another view.
  const [state, setState] = useState({ typed: text, applied: text, given: text, continues: false });
  const { typed, applied, given, continues } = state;
  if (text !== given) {
    setState(
      text === applied ? { ...state, given: text } : { typed: text, applied: text, given: text, continues: false },
    );
  }

  // The filter of a link stays as it is, however it is written, until someone types.
  const wanted = typed === applied ? applied : cleaned(typed);

  function apply() {
    if (wanted === applied) return;
    setState((state) => ({ ...state, applied: wanted, continues: true }));
    onChange(wanted, { continues });
  }
  const applyAfterPause = useEffectEvent(apply);
  useEffect(() => {
    if (wanted === applied) return;
    const timer = setTimeout(() => applyAfterPause(), pause);
    return () => clearTimeout(timer);
  }, [wanted, applied]);

  const endSearch = () => setState((state) => ({ ...state, continues: false }));

  function applyAtOnce(event: FormEvent) {
    event.preventDefault();
    apply();
    endSearch();
  }

  return (
    <form className="quick-search" onSubmit={applyAtOnce}>
      <input
        type="search"
        aria-label={filterWords.searchUsers}
        aria-describedby={isFull ? hint : undefined}
        placeholder={filterWords.searchUsers}
        maxLength={longestText}
        autoComplete="off"
        spellCheck={false}
        disabled={isFull}
        value={typed}
        onChange={({ target }) => setState((state) => ({ ...state, typed: target.value }))}
        onBlur={endSearch}
      />
      {isFull && (
        <span id={hint} className="visually-hidden">
          {filterWords.full}
        </span>
      )}
    </form>
  );
}

/** Names never contain these characters, and the service refuses them. */
function cleaned(typed: string): string {
  return typed.toWellFormed().replaceAll("\0", "").trim();
}
