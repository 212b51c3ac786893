import { Fragment } from "react";
import { removedWords } from "../words/removed.ts";

type Props = {
  user: { readonly id: string; readonly preferredLoginName: string; readonly isRemoved?: boolean };
  /** Undefined until it is known. */
  organization: string | undefined;
};

/**
 * What tells a person from all others. Several people can have the same name and the same login name, so the organization
 * and the id are always there. Each part is isolated: no name can reorder what is written beside it.
 */
export function PersonFacts({ user: { id, preferredLoginName, isRemoved }, organization }: Props) {
  return (
    <span className="muted">
      <bdi>{preferredLoginName}</bdi>
      {[organization, id, isRemoved ? removedWords.mark : undefined]
        .filter((fact) => fact !== undefined)
        .map((fact) => (
          <Fragment key={fact}>
            {" · "}
            <bdi>{fact}</bdi>
          </Fragment>
        ))}
    </span>
  );
}
