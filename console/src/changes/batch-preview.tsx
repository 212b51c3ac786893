import type { Authorization } from "@authorization-service/client";
import { useMemo } from "react";
import { useCaller } from "../caller.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { batchWords as words } from "../words/assignment-changes.ts";
import { endWords } from "../words/ends.ts";
import { undoWords } from "../words/undo.ts";
import { mostSelected } from "./all-matching.ts";
import { assignments } from "./assignment-name.ts";
import {
  type BatchChange,
  type Gift,
  labelOf,
  nameIn,
  type Offers,
  type Plan,
  planOf,
  rolesAfter,
} from "./batch-change.ts";
import { DialogFrame } from "./dialog-frame.tsx";
import { isNew } from "./new-row.ts";
import { batchChoices, useOffers } from "./offers.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import { differenceOf, keysOf, sentenceOf } from "./role-difference.ts";
import { RowList } from "./row-list.tsx";
import { endsOf, useEnd } from "./use-end.tsx";

type Props = {
  kind: BatchChange["kind"];
  gift?: Gift;
  rows: readonly Authorization[];
  /** The roles to add or to remove. */
  keys: ReadonlySet<string>;
  onPick: (keys: ReadonlySet<string>) => void;
  /** After an attempt, why nothing was sent. */
  failure: unknown;
  onStart: (change: BatchChange, rows: readonly Authorization[], reason: string) => void;
  onClose: () => void;
};

const noOffers: Offers = new Map();

/** Shows what would be changed and what would be skipped, before anything is sent. */
export function BatchPreview({ kind, gift, rows, keys, onPick, failure, onStart, onClose }: Props) {
  const caller = useCaller();
  const isOfRoles = kind === "add-roles" || kind === "remove-roles";
  const {
    data: offers = noOffers,
    isFetching,
    error,
    refetch,
  } = useOffers(rows, kind === "add-roles" || gift !== undefined);
  const ends = useEnd("");
  const { end } = ends;
  const change = useMemo((): BatchChange => {
    if (kind === "give") return gift ?? { kind, wishes: new Map() };
    if (kind === "set-end") return { kind, end };
    return isOfRoles ? { kind, keys } : { kind };
  }, [isOfRoles, kind, gift, keys, end]);
  const choices = useMemo(() => (isOfRoles ? batchChoices(kind, rows, offers) : []), [isOfRoles, kind, rows, offers]);
  const plan = useMemo(() => planOf(change, rows, caller, offers), [change, rows, caller, offers]);
  const label = labelOf(change);
  const reason = useReason();
  const textOf = change.kind === "give" ? (row: Authorization) => givenTo(change, row, offers) : undefined;
  const isUnchosen = isOfRoles ? keys.size === 0 : kind === "set-end" && ends.isMissing;
  const isPlanned = !isFetching && plan.sent.length > 0 && !isUnchosen;

  return (
    <DialogFrame
      title={words.titled(label, assignments(rows.length))}
      onClose={onClose}
      send={{
        label: isPlanned ? words.titled(label, assignments(plan.sent.length)) : label,
        isReady: isPlanned && !reason.isMissing,
        isDangerous: kind === "delete",
        run: () => onStart(change, plan.sent, reason.text),
      }}
    >
      {kind === "delete" && <p>{`${words.loses} ${undoWords.newIds}`}</p>}
      {rows.length >= mostSelected && <p>{words.repeat(mostSelected)}</p>}
      {failure !== undefined && <FailureNotice error={failure} />}
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isFetching && <p role="status">{words.asking}</p>}
      {isOfRoles && !isFetching && !error && (
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
      {!isUnchosen && <PlanNotice plan={plan} textOf={textOf} />}
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

type NoticeProps = { plan: Plan; textOf: ((row: Authorization) => string) | undefined };

function PlanNotice({ plan: { sent, leftOut }, textOf }: NoticeProps) {
  return (
    <>
      <p aria-live="polite">
        {sent.length === 0 ? words.nothing : words.willBeChanged(sent.length)}
        {leftOut.length > 0 && ` ${words.willBeLeftOut(leftOut.length)}`}
      </p>
      {leftOut.length > 0 && (
        <details open>
          <summary>{words.leftOut}</summary>
          <RowList label={words.leftOut} rows={leftOut.map(({ row, why }) => ({ row, text: why }))} />
        </details>
      )}
      {sent.length > 0 && (
        <details open={textOf !== undefined}>
          <summary>{words.changed}</summary>
          <RowList label={words.changed} rows={sent.map((row) => ({ row, ...(textOf && { text: textOf(row) }) }))} />
        </details>
      )}
    </>
  );
}
