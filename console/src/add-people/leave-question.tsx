import { useBlocker } from "@tanstack/react-router";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { addPeopleWords } from "../words/add-people.ts";

const words = addPeopleWords.leaving;

type Props = {
  hasList: boolean;
  title?: string | undefined;
  advice?: string;
  /** The parts of the address that can change without the loss of the list. */
  keeps?: readonly string[];
};

/** Asks before another page takes the place of a list that is not added yet. A tab that is closed asks in the browser's words. */
export function LeaveQuestion({ hasList, title = words.title, advice = words.advice, keeps = keepsList }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current, keeps) !== placeOf(next, keeps),
    enableBeforeUnload: hasList,
    disabled: !hasList,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <DialogFrame
      title={title}
      isQuestion
      onClose={reset}
      closeLabel={words.stay}
      send={{ label: words.leave, isDangerous: true, run: proceed }}
    >
      <p>{advice}</p>
    </DialogFrame>
  );
}

const keepsList = ["organization"];

/** Another part of the same page is no other page, nor is one that keeps the list. */
function placeOf({ pathname, search }: { pathname: string; search: object }, keeps: readonly string[]): string {
  return JSON.stringify([pathname, Object.entries(search).filter(([name]) => !keeps.includes(name))]);
}
