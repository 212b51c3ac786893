import type { Authorization } from "@authorization-service/client";
import { useTransport } from "@connectrpc/connect-query";
import { useRef, useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { failureOf } from "../parts/failure.ts";
import { useLeaving } from "../parts/use-leaving.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { allMatching, type List, mostSelected } from "./all-matching.ts";
import { useOneAtATime } from "./one-at-a-time.ts";

type Props = {
  list: List;
  /** How many match. */
  total: number;
  onSelect: (rows: readonly Authorization[]) => void;
};

/** Selects what the filters match on all pages. */
export function SelectAll({ list, total, onSelect }: Props) {
  const transport = useTransport();
  const { isRunning, run } = useOneAtATime();
  const [count, setCount] = useState(0);
  const stopping = useRef<AbortController>(undefined);
  useLeaving(() => stopping.current?.abort());
  const most = Math.min(total, mostSelected);

  async function select() {
    const stop = new AbortController();
    stopping.current = stop;
    setCount(0);
    try {
      onSelect(await allMatching(transport, list, { signal: stop.signal, onProgress: setCount }));
    } catch (error) {
      if (stop.signal.aborted) return;
      const { title, advice } = failureOf(error);
      announce({ failed: true, text: words.notAllSelected(assignmentChangeWords.why(title, advice)) });
    }
  }

  if (isRunning) {
    return (
      <>
        <span role="status">{words.selecting(count, most)}</span>
        <button type="button" onClick={() => stopping.current?.abort()}>
          {words.stopSelecting}
        </button>
      </>
    );
  }
  return (
    <button type="button" onClick={() => void run(select)}>
      {total > mostSelected ? words.selectFirst(most) : words.selectAll(most)}
    </button>
  );
}
