import "../changes/changes.css";
import "./search.css";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { linkOptions, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Avatar } from "../parts/avatar.tsx";
import { useViewHost } from "../parts/kept-view.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { longestText, useEarlyEnter } from "../pickers/found.ts";
import { locale } from "../words/language/language.ts";
import { searchWords as words } from "../words/search.ts";
import { type Hit, type Kind, mostOfKind } from "./hits.ts";
import { useHits } from "./use-hits.ts";

type Found = ReturnType<typeof useHits>;

/** A dialog that searches everything and leads there. It begins with what was typed before it was loaded. */
export function SearchDialog({ typed, opener, onClose }: { typed: string; opener: HTMLElement; onClose: () => void }) {
  const host = useViewHost();
  const router = useRouter();
  const isLeaving = useRef(false);
  const [text, setText] = useState(typed);
  const found = useHits(text);
  const first = found.groups[0]?.items[0];
  const { setAwaited } = useEarlyEnter(found.isAsking, () => first && go(first.go));
  /** Whether the person has chosen with the arrow keys since typing, among the results for an earlier text. */
  const isChosen = useRef(false);

  function go(go: Hit["go"]) {
    isLeaving.current = true;
    onClose();
    if (typeof go === "function") return go();
    void router.navigate(go);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          className="dialog search"
          // Without a taker, the view gets it.
          finalFocus={() => !isLeaving.current && opener !== document.body && opener}
          aria-label={words.title}
        >
          <Autocomplete.Root
            inline
            open
            autoHighlight="always"
            keepHighlight
            filter={null}
            items={found.groups}
            itemToStringValue={({ title }: Hit) => title}
            value={text}
            onValueChange={(typed, { reason }) => {
              if (reason !== "input-change") return;
              isChosen.current = false;
              setText(typed);
            }}
          >
            <Autocomplete.Input
              ref={takeFocus}
              className="search-field"
              aria-label={words.field}
              placeholder={words.placeholder}
              maxLength={longestText}
              spellCheck={false}
              onKeyDown={(event) => {
                if (event.key.startsWith("Arrow")) isChosen.current = true;
                const isEarly = event.key === "Enter" && found.isAsking && !isChosen.current;
                setAwaited(isEarly);
                if (isEarly || event.key === "Escape") event.preventBaseUIHandler();
              }}
            />
            <SearchStatus text={text.trim()} found={found} onHistory={() => go(linkOptions({ to: "/history" }))} />
            <Autocomplete.List className="search-list" aria-label={words.results} aria-busy={found.isAsking}>
              {(group: Found["groups"][number]) => (
                <Autocomplete.Group key={group.kind} items={group.items} className="search-group">
                  <Autocomplete.GroupLabel className="search-kind">
                    {words.kinds[group.kind]}
                    {group.isMore && ` (${words.first(mostOfKind)})`}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(hit: Hit) => (
                      <Autocomplete.Item
                        key={keyOf(hit)}
                        value={hit}
                        className="line search-hit"
                        onClick={() => go(hit.go)}
                      >
                        {hit.person && <Avatar user={hit.person.user} />}
                        <bdi>{hit.title}</bdi>
                        {hit.person ? <PersonFacts {...hit.person} /> : <bdi className="muted">{hit.detail}</bdi>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** At once, not in a frame: what is typed meanwhile must not reach what is behind. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus();

/** No two results lead to the same place. */
const keyOf = ({ title, go }: Hit) => (typeof go === "function" ? title : JSON.stringify(go));

const list = new Intl.ListFormat(locale);
const named = (kinds: readonly Kind[]) => list.format(kinds.map((kind) => words.kindsSearched[kind]));

/** Says what was searched, and where else to look if nothing was found. */
function SearchStatus({ text, found, onHistory }: { text: string; found: Found; onHistory: () => void }) {
  const { isIdle, isAsking, failed, searched, searchedProjects } = found;
  const isNothing = !isIdle && !isAsking && found.groups.length === 0;
  return (
    <div className="stack search-status">
      <p role="status" className="muted">
        {isIdle ? found.start : isAsking && words.searching} {isNothing && words.nothing(text)}{" "}
        {!isIdle && !isAsking && words.searched(named(searched), searchedProjects)}
      </p>
      {failed.length > 0 && (
        <p role="alert" className="problem">
          {words.failed(named(failed))}
        </p>
      )}
      {isNothing && (
        <ul className="stack">
          {found.sought.length > 1 && <li>{words.elsewhere.fewerWords}</li>}
          <li>{words.elsewhere.exact}</li>
          <li>
            {words.elsewhere.removed}{" "}
            <button type="button" onClick={onHistory}>
              {words.elsewhere.history}
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}
