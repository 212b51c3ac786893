import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { useCaller } from "../caller.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { useShown } from "../parts/use-shown.ts";
import { pageWords } from "../words/pages.ts";
import { Section, type Shape, Skeleton } from "./page.tsx";
import { partSeen } from "./rights.ts";

type Props<Answer> = {
  query: UseQueryResult<Answer, ConnectError>;
  shape?: Shape;
  children: (answer: Answer) => ReactNode;
};

/** What a query has found, or what there is to show until then: a skeleton in the shape of what comes, or a failure with a retry. */
export function Answered<Answer>({ query, shape, children }: Props<Answer>) {
  const { answer, isOutdated, isOld, failure } = useShown(query);
  if (failure) return <FailureNotice error={failure} onRetry={() => void query.refetch()} />;
  if (answer === undefined) return <Skeleton {...shape} />;
  return (
    <>
      {isOld && <OldAnswer />}
      <div className="answered stack" data-outdated={isOutdated || undefined} aria-busy={isOutdated}>
        {children(answer)}
      </div>
    </>
  );
}

type ListProps<Answer, Row> = Omit<ComponentProps<typeof Section>, "children"> & {
  query: UseQueryResult<Answer, ConnectError>;
  rowsOf: (answer: Answer) => readonly Row[];
  keyOf: (row: Row) => string | undefined;
  /** What it says if there are no rows. */
  none: string;
  /** Whether the reader sees all rows there are, as of what is their own. */
  seesAll?: boolean;
  /** What is in a row. */
  children: (row: Row) => ReactNode;
  /** Below the list. */
  rest?: ReactNode;
};

/** A section with a list of rows. */
export function ListSection<Answer, Row>(props: ListProps<Answer, Row>) {
  const { query, rowsOf, keyOf, none, seesAll, children, rest, ...section } = props;
  return (
    <Section {...section}>
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {(answer) => {
          const rows = rowsOf(answer);
          if (rows.length === 0) return seesAll ? <Nothing>{none}</Nothing> : <None>{none}</None>;
          return (
            <ul className="plain-list">
              {rows.map((row) => (
                <li key={keyOf(row)}>{children(row)}</li>
              ))}
            </ul>
          );
        }}
      </Answered>
      {rest}
    </Section>
  );
}

/** What a list says that has nothing in it, for readers who see everything. Others are told that they see only a part. */
export function None({ children }: { children: string }) {
  const caller = useCaller();
  const part = caller && partSeen(caller);
  return <Nothing>{part === undefined ? children : pageWords.noneSeen(part)}</Nothing>;
}

/** What a list says that has nothing in it. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="muted">{children}</p>;
}
