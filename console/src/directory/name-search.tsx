import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { longestText, useSettled } from "../pickers/found.ts";
import { pageWords } from "../words/pages.ts";

/** A field that narrows a list down to names with all of its words. The list follows at each pause in typing. */
export function NameSearch({ name, onSearch }: { name: string; onSearch: (name: string) => void }) {
  const field = useId();
  const [text, setText] = useState(name);
  const settled = useSettled(text);
  const told = useRef(name);
  const tell = useEffectEvent(onSearch);

  useEffect(() => {
    const wanted = cleaned(settled);
    if (wanted === told.current) return;
    told.current = wanted;
    tell(wanted);
  }, [settled]);

  // A link or the browser's history shows another search.
  useEffect(() => {
    if (name === told.current) return;
    told.current = name;
    setText(name);
  }, [name]);

  return (
    <div className="field">
      <label htmlFor={field}>{pageWords.searchByName}</label>
      <input
        id={field}
        type="search"
        value={text}
        maxLength={longestText}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}

/** Names never contain these characters, and the service refuses them. */
function cleaned(typed: string): string {
  return typed.toWellFormed().replaceAll("\0", "").trim();
}
