import type { ComponentProps } from "react";
import { None } from "../directory/answered.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Section } from "../directory/page.tsx";
import { historyWords as words } from "../words/history.ts";
import { personWords } from "../words/person.ts";
import { EventList } from "./event-list.tsx";
import { useLatest } from "./use-history.ts";

type Props = ComponentProps<typeof HistoryLink> & { title?: string };

/** The part of a page with its latest changes, which leads to all of them. */
export function HistorySection({ title = words.title, ...link }: Props) {
  const query = useLatest(link.search);
  return (
    <Section title={title} actions={<HistoryLink {...link} />}>
      <EventList className="plain-list" query={query} none={<None>{words.none}</None>} hasLinks />
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
