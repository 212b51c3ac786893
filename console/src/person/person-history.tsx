import { HistoryLink } from "../directory/history-link.tsx";
import { Section } from "../directory/page.tsx";
import { AssignmentEvents, DirectoryEvents } from "../history/latest-events.tsx";
import { personWords } from "../words/person.ts";

const words = personWords.history;

/** The latest changes about a person, and by the person. */
export function PersonHistory({ id }: { id: string }) {
  return (
    <>
      <Section title={words.about} actions={<HistoryLink search={{ user: id }} of="about" />}>
        <section className="stack" aria-label={words.assignmentsAbout}>
          <h3>{words.assignmentsAbout}</h3>
          <AssignmentEvents search={{ user: id }} none={words.none} />
        </section>
        <section className="stack" aria-label={words.directoryAbout}>
          <h3>{words.directoryAbout}</h3>
          <DirectoryEvents search={{ user: id }} none={words.none} />
        </section>
      </Section>
      <Section title={words.by} actions={<HistoryLink search={{ actor: id }} of="by" />}>
        <section className="stack" aria-label={words.assignmentsBy}>
          <h3>{words.assignmentsBy}</h3>
          <AssignmentEvents search={{ actor: id }} none={words.none} />
        </section>
        <section className="stack" aria-label={words.directoryBy}>
          <h3>{words.directoryBy}</h3>
          <DirectoryEvents search={{ actor: id }} none={words.none} />
        </section>
      </Section>
    </>
  );
}
