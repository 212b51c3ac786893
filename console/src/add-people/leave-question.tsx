import { useBlocker } from "@tanstack/react-router";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { addPeopleWords } from "../words/add-people.ts";

const words = addPeopleWords.leaving;

type Props = {
  hasList: boolean;
  title?: string | undefined;
  advice?: string;
};

/** Asks before another page takes the place of a list that is not added yet. A tab that is closed asks in the browser's words. */
export function LeaveQuestion({ hasList, title = words.title, advice = words.advice }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next),
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

/** The list stays with other parameters, except for those of another matrix. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return JSON.stringify([pathname, "project" in search && search.project]);
}
