import { useEffect, useEffectEvent, useRef, useState } from "react";
import { longestText, useSettled } from "../pickers/found.ts";
import { filterWords } from "../words/filters.ts";

/** What is typed to search a list, which follows at each pause in typing. */
export function useTypedSearch(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const settled = useSettled(typed, 250);
  const told = useRef(text);
  const search = useEffectEvent((asked: string) => {
    const wanted = cleaned(asked);
    // The text of a link stays as it is, however it is written, until someone types.
    if (asked === told.current || wanted === told.current) return;
    told.current = wanted;
    onSearch(wanted);
  });
  useEffect(() => search(settled), [settled]);
  // A link or the browser's history shows another search.
  useEffect(() => {
    if (text === told.current) return;
    told.current = text;
    setTyped(text);
  }, [text]);
  return { typed, setTyped };
}

type Props = { text: string; onChange: (text: string) => void; isFull: boolean };

/** Searches users as people type. */
export function QuickSearch({ text, onChange, isFull }: Props) {
  const { typed, setTyped } = useTypedSearch(text, onChange);
  return (
    <input
      type="search"
      className="quick-search"
      aria-label={filterWords.searchUsers}
      placeholder={filterWords.searchUsers}
      title={isFull ? filterWords.full : undefined}
      maxLength={longestText}
      autoComplete="off"
      spellCheck={false}
      disabled={isFull}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}

/** Names never contain these characters, and the service refuses them. */
function cleaned(typed: string): string {
  return typed.toWellFormed().replaceAll("\0", "").trim();
}
