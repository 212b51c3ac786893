import { afterAll } from "vitest";
import { type Message, messages } from "./pooled-messages.ts";
import { openProxy } from "./tcp-proxy.ts";

/** A way to a Postgres server that writes down which statements are sent on it, without their values. All tests of a file share it. */
export async function recorderOfTests(databaseUrl: string) {
  let recorded: string[] = [];
  const { url, close } = await openProxy(databaseUrl, () => {
    let unnamed = "";
    function each({ type, bytes }: Message): void {
      const texts = bytes.toString("utf8", 5).split("\0");
      if (type === "Q") recorded.push(texts[0] ?? "");
      // Parse: the name, empty for none, and the text. Bind: the portal, and the name of what was parsed.
      if (type === "P" && texts[0] === "") unnamed = texts[1] ?? "";
      if (type === "B") recorded.push(texts[1] || unnamed);
    }
    return messages({ first: () => true, each });
  });
  afterAll(() => close());
  return {
    url,
    /** The statements that work makes the service send: the name of a prepared one, the text of any other. */
    async during(work: () => Promise<unknown>) {
      recorded = [];
      await work();
      return recorded;
    },
  };
}
