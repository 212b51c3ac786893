import { type ChangeOutcome, DirectoryEventSchema, type DirectoryThing } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { changeOf } from "../history/change.ts";
import { Differences } from "../history/fact.tsx";
import { useNames } from "../history/names.ts";
import { announce } from "../parts/announcements.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { passOver } from "../undo/undoables.ts";
import { changeWords as words } from "../words/directory-changes.ts";
import { ChangeFailure } from "./change-failure.tsx";
import { type Change, useChange } from "./use-change.ts";
import { useRequest } from "./use-request.ts";

type RequestProps = {
  title: string;
  /** The verb on the button. */
  verb: string;
  isReady?: boolean;
  isDangerous?: boolean | undefined;
  /** What to do without an answer. */
  uncertain?: string;
  /** Resolves to what is announced, or to nothing if the dialog stays open. */
  run: (reason: string) => Promise<string | undefined>;
  onDone?: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
  /** Below the reason: why the request was not made. */
  notice?: ReactNode;
};

/** A dialog that makes a request which nothing undoes. It stays open until that is done, and shows why it was refused. */
export function RequestDialog(props: RequestProps) {
  const { title, verb, isReady = true, isDangerous, uncertain = words.uncertain } = props;
  const reason = useReason();
  const { isRunning, failure, request } = useRequest();
  const send = async () => {
    const done = await props.run(reason.text);
    if (done === undefined) return;
    passOver();
    announce({ text: done });
    props.onClose();
    props.onDone?.();
  };
  return (
    <DialogFrame
      title={title}
      isBusy={isRunning}
      onClose={props.onClose}
      form={{}}
      send={{
        label: isRunning ? words.running : verb,
        isReady: isReady && !reason.isMissing && !isRunning,
        isDangerous,
        run: () => void request(send),
      }}
    >
      {props.children}
      {reason.field}
      {props.notice}
      <ChangeFailure failure={failure} uncertain={uncertain} />
    </DialogFrame>
  );
}

type Props = Omit<RequestProps, "isReady" | "uncertain" | "run" | "notice"> & {
  /** Undefined until everything is filled in. */
  changes: readonly Change[] | undefined;
  /** What the dialog changes, as it was when it was opened. */
  shown?: readonly Change[];
  /** Whether the changes should only create things. */
  isNew?: boolean;
  /** What is announced afterwards. */
  done: string;
};

const nothing: readonly Change[] = [];

/** A dialog that changes the directory. */
export function ChangeDialog({ changes = nothing, shown = nothing, isNew = false, done, ...dialog }: Props) {
  const { change, changedMeanwhile } = useChange(shown, isNew);
  return (
    <RequestDialog
      {...dialog}
      isReady={changes.length > 0}
      run={async (reason) => ((await change(changes, reason)) ? done : undefined)}
      notice={changedMeanwhile.length > 0 && <ChangedMeanwhile outcomes={changedMeanwhile} />}
    />
  );
}

/** Says that someone else was faster, what the things are now, and what this dialog would make of them. */
function ChangedMeanwhile({ outcomes }: { outcomes: readonly ChangeOutcome[] }) {
  // As the history has them.
  const thingOf = (held: ChangeOutcome["before"]) => ({ thing: held?.change as DirectoryThing["thing"] });
  const events = outcomes.map(({ before, after }) =>
    create(DirectoryEventSchema, {
      ...(before && { before: thingOf(before) }),
      ...(after && { after: thingOf(after) }),
    }),
  );
  const names = useNames(events);
  return (
    <section className="notice-failure" role="alert">
      <p>
        <strong>{words.changedMeanwhile}</strong> {words.lookAgain}
      </p>
      {events.map((event, index) => {
        const { effect, differences } = changeOf(event);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: outcomes have the order of the changes, which stays.
          <Differences key={index} differences={differences} effect={effect} names={names} />
        );
      })}
    </section>
  );
}
