import type { ComponentProps } from "react";
import { Answered, None } from "../directory/answered.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Section } from "../directory/page.tsx";
import { historyWords as words } from "../words/history.ts";
import { personWords } from "../words/person.ts";
import { Changes } from "./changes.tsx";
import { useHistory } from "./use-history.ts";

type Props = ComponentProps<typeof HistoryLink> & { title?: string };

const few = { lines: 10, events: 100 };

/** The part of a page with its latest changes, which leads to all of them. */
export function HistorySection({ title = words.title, ...link }: Props) {
  const query = useHistory(link.search, few);
  return (
    <Section title={title} actions={<HistoryLink {...link} />}>
      <Answered query={query} shape={{ rows: 5, columns: 3 }}>
        {({ lines }) => (lines.length > 0 ? <Changes lines={lines} /> : <None>{words.none}</None>)}
      </Answered>
    </Section>
  );
}

/** The latest changes about a person, and by the person. */
export function PersonHistory({ id }: { id: string }) {
  return (
    <>
      <HistorySection title={personWords.history.about} search={{ user: id }} of="about" />
      <HistorySection title={personWords.history.by} search={{ actor: id }} of="by" />
    </>
  );
}
