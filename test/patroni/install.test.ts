import { expect, test } from "vitest";
import { findPython } from "./install.ts";

test("npm run test:patroni says what to install when there is no Python that its user can run", async () => {
  await expect(findPython(["/nowhere/python3"])).rejects.toThrow(
    "Install Python 3.10 or newer with venv (Debian: `apt-get install python3-venv`), where all users can run it, then run this again.",
  );
});
