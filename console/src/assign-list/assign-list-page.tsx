import type { Authorization } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type List, ListForm } from "../add-people/list-form.tsx";
import { useCaller } from "../caller.ts";
import type { Gift } from "../changes/batch-change.ts";
import { BatchDialog } from "../changes/batch-dialog.tsx";
import { slotOf } from "../changes/new-row.ts";
import { NotFound } from "../directory/not-found.tsx";
import { Page } from "../directory/page.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { useSettled } from "../pickers/found.ts";
import { useReason } from "../reason/use-reason.tsx";
import { type Undoable, undoAction } from "../undo/undoables.ts";
import { assignListWords as words } from "../words/assign-list.ts";
import { check, type Verdict } from "./check.ts";
import { type Column, type Line, readLines } from "./lines.ts";

/** Creates and changes assignments by a list of people, projects, organizations and roles. */
export function AssignListPage() {
  const caller = useCaller();
  if (caller && !maySomewhere(caller, "user.grant.write"))
    return <NotFound title={words.notAllowed} advice={words.notAllowedAdvice} />;
  return (
    <Page name={words.title} about="assign-list">
      <AssignList />
    </Page>
  );
}

function AssignList() {
  const navigate = useNavigate();
  const reason = useReason();
  const [{ text, columns: chosen }, setTyped] = useState<List<Column>>({ text: "", columns: [] });
  /** What is being saved. It stays the same while the list is checked again. */
  const [sending, setSending] = useState<ReturnType<typeof giftOf>>();
  const settled = useSettled(text);
  const list = useMemo(() => readLines(settled, chosen), [settled, chosen]);
  const checked = useCheck(list.lines, [settled, list.columns]);
  const verdicts = settled === text ? checked.data : undefined;
  // What can be read from the line alone is said at once.
  const told = list.lines.map(({ number, problem, ...line }) => {
    const verdict = problem === undefined ? verdicts?.get(number) : ({ case: "bad", text: problem } as const);
    const cells = [line.person, line.project, line.organization, line.roles.join(", ")];
    return { number, cells, isBad: verdict?.case === "bad", result: verdict?.text };
  });
  const gift = useMemo(() => giftOf(verdicts), [verdicts]);
  const isReady = gift.rows.length > 0 && !reason.isMissing;

  /** What wasn't done stays in the list, so it can be put right and saved later. */
  function close({ rows, verdicts }: ReturnType<typeof giftOf>, left: readonly Authorization[], undoable?: Undoable) {
    setSending(undefined);
    const leftSlots = new Set(left.map(slotOf));
    const done = rows.length - leftSlots.size;
    if (done === 0) return;
    const kept = list.keep((number) => {
      const verdict = verdicts.get(number);
      return verdict?.row ? leftSlots.has(slotOf(verdict.row)) : verdict?.case !== "done";
    });
    setTyped({ text: kept, columns: chosen });
    const count = readLines(kept, chosen).lines.length;
    const said = count === 0 ? words.saved(done) : `${words.saved(done)} ${words.kept(count)}`;
    announce({ text: said, ...(undoable && { action: undoAction(undoable) }) });
    if (count === 0) void navigate({ to: "/assignments", ignoreBlocker: true });
  }

  return (
    <>
      <ListForm
        says={words}
        list={{ text, columns: chosen }}
        onList={setTyped}
        columns={list.columns}
        heads={[words.columns.person, words.columns.project, words.columns.organization, words.columns.roles]}
        lines={told}
        check={checked}
        send={{ label: words.assign(gift.rows.length), isReady, run: () => setSending(gift) }}
      >
        {reason.field}
      </ListForm>
      {sending && (
        <BatchDialog
          rows={sending.rows}
          change={sending.gift}
          decided={reason.text}
          onClose={(left, run) => close(sending, left, run?.undoable)}
        />
      )}
    </>
  );
}

function useCheck(lines: readonly Line[], key: readonly unknown[]) {
  const transport = useTransport();
  const queries = useQueryClient();
  const caller = useCaller();
  const readable = lines.filter(({ problem }) => problem === undefined);
  return useQuery<ReadonlyMap<number, Verdict>, ConnectError>({
    queryKey: ["list to assign", ...key],
    queryFn: ({ signal }) => check(transport, queries, caller, readable, signal),
    enabled: lines.length > 0 && caller !== undefined,
    structuralSharing: false,
    gcTime: 0,
  });
}

const noVerdicts: ReadonlyMap<number, Verdict> = new Map();

/** Several lines can be about the same assignment. */
function giftOf(verdicts = noVerdicts) {
  const ready = [...verdicts.values()].flatMap(({ row, added = [] }) => (row ? [{ row, added }] : []));
  const bySlot = Map.groupBy(ready, ({ row }) => slotOf(row));
  const wishes = [...bySlot].map(
    ([slot, some]) => [slot, { added: some.flatMap(({ added }) => added), removed: [] }] as const,
  );
  const gift: Gift = { kind: "give", wishes: new Map(wishes) };
  return { rows: [...bySlot.values()].flatMap(([first]) => (first ? [first.row] : [])), gift, verdicts };
}
