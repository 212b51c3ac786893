import { useBlocker } from "@tanstack/react-router";

/** Asks in a dialog of the browser before another page takes the place of what is not saved yet. */
export function useLeaveQuestion(isUnsaved: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next) && !window.confirm(question),
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
  });
}

/** What is not saved stays with other parameters, except for those of another matrix. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  const { project, organization } = search as Readonly<Record<string, unknown>>;
  return JSON.stringify([pathname, project, pathname === "/matrix" && organization]);
}
