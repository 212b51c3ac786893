import { nameOf } from "../parts/role-chips.tsx";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import type { HistoryFilter } from "./filters.ts";
import { useOrganization, useProject, useUser } from "./picked.ts";
import { rangeInWords, rangeOf } from "./range.ts";

const words = historyWords.filters;
const { of, comma } = filterWords.inWords;

/** A filter of the history in words, such as “Who did it: Carol”. */
export function FilterWords({ filter: { name, changed } }: { filter: HistoryFilter }) {
  const actor = useUser(changed.actor);
  const project = useProject(changed.project);
  const organization = useOrganization(changed.organization);
  const label = words.names[name];
  switch (name) {
    case "what":
      return of(label) + happened(changed).join(comma);
    case "actor":
      return (
        <Named
          label={label}
          name={actor ? actor.displayName || actor.preferredLoginName : historyWords.commandLine}
          of={actor}
        />
      );
    case "project": {
      const role = project?.roles.find(({ key }) => key === changed.role);
      return (
        <>
          {project && <Named label={label} name={project.name} of={project} />}
          {project && changed.role !== undefined && comma}
          {changed.role !== undefined && (
            <Named label={words.role} name={role ? nameOf(role) : changed.role} of={project} />
          )}
        </>
      );
    }
    case "organization":
      return <Named label={label} name={organization?.name} of={organization} />;
    case "when":
      return (
        of(label) + (changed.when ? historyWords.presets[changed.when] : rangeInWords(rangeOf(changed, new Date())))
      );
    case "assignment":
      return words.oneAssignment;
  }
}

type Picked = { readonly id: string; readonly isAsked?: boolean };

/** While the name is asked for, neither it nor the id, which would look like the name. */
function Named({ label, name, of: picked }: { label: string; name: string | undefined; of: Picked | undefined }) {
  return (
    <>
      {of(label)}
      <bdi>{picked?.isAsked ? "…" : name || picked?.id}</bdi>
    </>
  );
}

function happened({ kind, types = [], kinds = [] }: HistoryFilter["changed"]): readonly string[] {
  if (kind && types.length + kinds.length === 0) return [historyWords.ofKind[kind]];
  return [...types.map((type) => historyWords.types[type]), ...kinds.map((one) => historyWords.kinds[one])];
}
