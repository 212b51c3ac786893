import "../changes/changes.css";
import "./search.css";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Avatar } from "../parts/avatar.tsx";
import { useViewHost } from "../parts/kept-view.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { longestText } from "../pickers/found.ts";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, type Kind, mostOfKind } from "./hits.ts";
import { SearchStatus } from "./search-status.tsx";
import { useHits } from "./use-hits.ts";

type Props = { onKeys: () => void; onClose: () => void };

/** A dialog that searches everything and leads there. */
export function SearchDialog({ onKeys, onClose }: Props) {
  const host = useViewHost();
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const found = useHits(text, onKeys);
  const chooseFirst = useChoiceOfFirst(found.isAsking, found.groups[0]?.hits[0], go);

  function go({ go }: Pick<Hit, "go">) {
    onClose();
    if (typeof go === "function") return go();
    void router.navigate(go);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog search" initialFocus={field} aria-label={searchWords.title}>
          <Autocomplete.Root
            inline
            open
            autoHighlight="always"
            keepHighlight
            filter={null}
            items={found.groups.map((group) => ({ ...group, items: group.hits }))}
            itemToStringValue={({ title }: Hit) => title}
            value={text}
            onValueChange={(typed, { reason }) => {
              if (reason !== "input-change") return;
              chooseFirst.begin();
              setText(typed);
            }}
            onItemHighlighted={(_, { reason }) => reason === "keyboard" && chooseFirst.cancel()}
          >
            <Autocomplete.Input
              ref={field}
              className="search-field"
              aria-label={searchWords.field}
              placeholder={searchWords.placeholder}
              maxLength={longestText}
              spellCheck={false}
              onKeyDown={(event) => {
                if (event.key === "Escape") event.preventBaseUIHandler();
                if (event.key === "Enter" && chooseFirst.isWaitedFor()) event.preventBaseUIHandler();
                if (event.key.startsWith("Arrow")) chooseFirst.cancel();
              }}
            />
            <SearchStatus text={text} found={found} onGo={(destination) => go({ go: destination })} />
            <Autocomplete.List className="search-list" aria-label={searchWords.results} aria-busy={found.isAsking}>
              {(group: Hits & { kind: Kind; items: readonly Hit[] }) => (
                <Autocomplete.Group key={group.kind} items={group.items} className="search-group">
                  <Autocomplete.GroupLabel className="search-kind">
                    {searchWords.kinds[group.kind]}
                    {group.isMore && ` (${mostOfKind}, ${searchWords.more})`}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(hit: Hit) => (
                      <Autocomplete.Item key={hit.id} value={hit} className="search-hit" onClick={() => go(hit)}>
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

/**
 * Enter, pressed before the results are there, chooses the first of them when they are. Until then, the list still
 * shows the results for an earlier text.
 */
function useChoiceOfFirst(isAsking: boolean, first: Hit | undefined, choose: (hit: Hit) => void) {
  const [isWaiting, setWaiting] = useState(false);
  const hasMoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the results are there.
  useEffect(() => {
    if (isAsking || !isWaiting) return;
    setWaiting(false);
    if (first !== undefined) choose(first);
  }, [isAsking, isWaiting]);
  return {
    begin() {
      hasMoved.current = false;
    },
    cancel() {
      hasMoved.current = true;
      setWaiting(false);
    },
    isWaitedFor() {
      if (!isAsking || hasMoved.current) return false;
      setWaiting(true);
      return true;
    },
  };
}
