import type { Authorization } from "@authorization-service/client";
import { useMemo } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { endWords } from "../words/ends.ts";
import { undoWords } from "../words/undo.ts";
import { mostSelected } from "./all-matching.ts";
import { type BatchChange, type Begun, type Gift, planOf, rolesAfter, wishesFor } from "./batch-change.ts";
import { DialogFrame } from "./dialog-frame.tsx";
import { isNew } from "./new-row.ts";
import { batchChoices, nameIn, type Offers, useOffers } from "./offered-roles.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import { differenceOf, keysOf, sentenceOf } from "./role-difference.ts";
import { RowList } from "./row-list.tsx";
import { endsOf, useEnd } from "./use-end.tsx";

type Props = {
  begun: Begun;
  rows: readonly Authorization[];
  /** The roles to add or to remove. */
  keys: ReadonlySet<string>;
  onPick: (keys: ReadonlySet<string>) => void;
  /** After an attempt, why nothing was sent. */
  failure: unknown;
  /** The reason of an earlier attempt. */
  given: string;
  onStart: (change: BatchChange, rows: readonly Authorization[], reason: string) => void;
  onClose: () => void;
};

const { assignments } = assignmentChangeWords;
const noOffers: Offers = new Map();

/** Shows what would be changed and what would be skipped, before anything is sent. */
export function BatchPreview({ begun, rows, keys, onPick, failure, given, onStart, onClose }: Props) {
  const caller = useCaller();
  const { kind } = begun;
  const isOfRoles = kind === "add-roles" || kind === "remove-roles";
  const { data: offers = noOffers, ...asked } = useOffers(rows, kind === "add-roles" || kind === "give");
  const ends = useEnd("");
  const { end } = ends;
  const reason = useReason(given);
  const change = useMemo((): BatchChange => {
    if ("wishes" in begun) return begun;
    const { kind } = begun;
    if (kind === "add-roles") return { kind, wishes: wishesFor(rows, { added: [...keys] }) };
    if (kind === "remove-roles") return { kind, wishes: wishesFor(rows, { removed: [...keys] }) };
    return kind === "set-end" ? { kind, end } : { kind };
  }, [begun, rows, keys, end]);
  const choices = useMemo(() => (isOfRoles ? batchChoices(kind, rows, offers) : []), [isOfRoles, kind, rows, offers]);
  const { sent, leftOut } = useMemo(() => planOf(change, rows, caller, offers), [change, rows, caller, offers]);
  const label = words.labels[kind];
  const isUnchosen = isOfRoles ? keys.size === 0 : kind === "set-end" && ends.isMissing;
  const isPlanned = !asked.isFetching && sent.length > 0 && !isUnchosen;
  const mayCreate = sent.every((row) => may(caller, "user.grant.write", row));
  const textOf = (row: Authorization) => ("wishes" in change ? givenTo(change, row, offers) : rolesOf(row));

  return (
    <DialogFrame
      title={words.actions[kind](assignments(rows.length))}
      isQuestion={kind === "delete"}
      onClose={onClose}
      send={{
        label: isPlanned ? words.actions[kind](assignments(sent.length)) : label,
        isReady: isPlanned && !reason.isMissing,
        isDangerous: kind === "delete",
        run: () => onStart(change, sent, reason.text),
      }}
    >
      {kind === "delete" && <p>{`${words.loses} ${mayCreate ? undoWords.newIds : undoWords.final}`}</p>}
      {rows.length >= mostSelected && <p>{words.repeat(mostSelected)}</p>}
      {failure !== undefined && <FailureNotice error={failure} />}
      {asked.error && <FailureNotice error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isFetching && <p role="status">{words.asking}</p>}
      {isOfRoles && !asked.isFetching && !asked.error && (
        <RoleBoxes legend={label} choices={choices} chosen={keys} onChange={onPick} />
      )}
      {kind === "set-end" && (
        <>
          <p>{endWords.current(endsOf(rows))}</p>
          {ends.field}
          <p className="hint">{endWords.restarts}</p>
        </>
      )}
      {isUnchosen && isOfRoles && <p className="muted">{words.pick}</p>}
      {!isUnchosen && (
        <>
          <p aria-live="polite">
            {sent.length === 0 ? words.nothing : words.willBeChanged(sent.length)}
            {leftOut.length > 0 && ` ${words.willBeLeftOut(leftOut.length)}`}
          </p>
          <Planned label={words.leftOut} rows={leftOut.map(({ row, why }) => ({ row, text: why }))} />
          <Planned label={words.changed} rows={sent.map((row) => ({ row, text: textOf(row) }))} />
        </>
      )}
      {reason.field}
    </DialogFrame>
  );
}

/** Such as `adds Seller; removes Auditor`. */
export function givenTo(gift: Gift, row: Authorization, offers: Offers): string {
  const held = new Map(row.roles.map((role) => [role.key, nameOf(role)]));
  const difference = differenceOf(keysOf(row), rolesAfter(gift, row));
  const text = sentenceOf(difference, (key) => held.get(key) ?? nameIn(offers, key));
  return isNew(row) ? words.newWith(text) : text;
}

function rolesOf({ roles }: Authorization): string {
  return roles.map(nameOf).join(", ");
}

function Planned({ label, rows }: { label: string; rows: readonly { row: Authorization; text: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <details open>
      <summary>{label}</summary>
      <RowList label={label} rows={rows} />
    </details>
  );
}
