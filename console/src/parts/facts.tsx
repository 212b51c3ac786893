import { Fragment, type ReactNode } from "react";

type Props = {
  /** What each fact is called, and what it is. Those without a value are left out. */
  facts: Readonly<Record<string, ReactNode>>;
};

/** Rows of labels and what they name. */
export function Facts({ facts }: Props) {
  return (
    <dl className="facts">
      {Object.entries(facts)
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
