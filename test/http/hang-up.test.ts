import { expect, test, vi } from "vitest";
import { failAsReset, type Raw } from "../../src/http/hang-up.ts";

// Connect's plugin prints what it doesn't know as the end of a client: ETIMEDOUT, for example, of a machine that is gone.
test.each(["ECANCELED", "EPIPE", "ETIMEDOUT"])(
  "A write that fails with %s says that the connection was reset",
  (code) => {
    const error = Object.assign(new Error(code), { code, syscall: "write" });
    const raw = { write: (_chunk: string, _encoding: string, told: (error: Error) => void) => told(error) };
    failAsReset(raw as unknown as Raw);
    const told = vi.fn();
    raw.write("", "binary", told);
    expect(told.mock.calls).toEqual([[expect.objectContaining({ code: "ECONNRESET" })]]);
  },
);

test("A write that succeeds, or fails for another reason, says so", () => {
  const known = Object.assign(new Error("ended"), { code: "ERR_STREAM_WRITE_AFTER_END" });
  const raw = {
    write: (_chunk: string, _encoding: string, told: (error: unknown) => void) => [told(null), told(known)],
  };
  failAsReset(raw as unknown as Raw);
  const told = vi.fn();
  raw.write("", "binary", told);
  expect(told.mock.calls).toEqual([[null], [known]]);
  expect(known.code).toBe("ERR_STREAM_WRITE_AFTER_END");
});
