import type { Attack } from "../attack.ts";
import { keepAsking } from "../connections.ts";
import { call } from "../requests.ts";

/** Every login name has each of these, so no filter spares another one its work. */
const texts = [..."@org.example"].slice(0, 10);

export const costlyUsers: Attack = {
  what: "the owner of one project asks `ListUsers` with 50 filters, 120 at once",
  begin({ port, tokens }) {
    const filters = Array.from({ length: 50 }, (_, index) => ({
      name: { text: texts[index % texts.length], method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" },
    }));
    const message = { pagination: { limit: 1_000 }, filters };
    keepAsking(120, port, call("/service.directory.v1.DirectoryService/ListUsers", tokens.project, message));
  },
};
