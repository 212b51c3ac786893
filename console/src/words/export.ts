import { moreThanCounted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** The words of the dialog that exports a list, and of the file with assignments. */
export const exportWords = translated("exportWords", {
  title: "Export as CSV",
  cancel: "Cancel",
  retry: "Try again",
  export: "Export",
  close: "Close",
  cancelled: "Cancelled. Nothing was saved.",
  exporting: "Exporting…",
  /** Before the name of the file. */
  exported: (count: number, [one, several]: readonly [string, string]) =>
    `${number.format(count)} ${count === 1 ? one : several} exported to `,
  failed: (title: string) => `${title}. Nothing was saved.`,
  progressOf: "Exported",
  progress: (rows: number, total: number) =>
    `${number.format(rows)} of ${total === Number.POSITIVE_INFINITY ? moreThanCounted : number.format(total)}`,
  first: "Asking for the first",
  assignments: {
    promises: (moved: string | undefined) => [
      "All pages of the table, with its filters and in its order. All columns, also hidden ones.",
      `The list may change while it is read. Each assignment is in the file once, as it was when its page was read. One that is created or deleted meanwhile, or starts or stops matching the filters, may be missing.${
        moved === undefined ? "" : ` With this sorting, one that ${moved} meanwhile may be missing or be there twice.`
      }`,
      "Times are in UTC. Text that a spreadsheet would calculate begins with an apostrophe.",
    ],
    /** What moves an assignment within the list, by what it is sorted by. */
    moves: {
      changed: "is changed",
      user: "changes because its person is renamed",
      project: "changes because its project is renamed",
      organization: "changes because its organization is renamed",
      "user-organization": "changes because its person moves to another organization",
    } as Partial<Record<string, string>>,
  },
} as const);
