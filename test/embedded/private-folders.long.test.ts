import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../../src/embedded/home.ts";
import { newDataDirectory } from "./place.ts";

const others = "or set DATA_DIR to another folder.";

test("new folders are private, those above DATA_DIR too", async () => {
  const dataDirectory = path.join(newDataDirectory(), "in", "it");
  const { folder } = await openHome(dataDirectory);
  for (const each of [folder, dataDirectory, path.dirname(dataDirectory)])
    expect(statSync(each).mode & 0o777).toBe(0o700);
});

test.each(["755", "710", "702"])(
  "a DATA_DIR with mode %s is refused, with the command that closes it",
  async (mode) => {
    const dataDirectory = newDataDirectory();
    mkdirSync(dataDirectory);
    chmodSync(dataDirectory, Number.parseInt(mode, 8));
    const refusal = `${dataDirectory} is open to other users: run \`chmod 700 ${dataDirectory}\`, ${others}`;
    await expect(openHome(dataDirectory)).rejects.toThrow(refusal);
    expect(existsSync(path.join(dataDirectory, "postgres"))).toBe(false);
    chmodSync(dataDirectory, 0o700);
    await openHome(dataDirectory);
  },
);

test("the folder in DATA_DIR is refused as well if it is open to other users", async () => {
  const { dataDirectory, folder } = await openHome(newDataDirectory());
  chmodSync(folder, 0o750);
  await expect(openHome(dataDirectory)).rejects.toThrow(
    `${folder} is open to other users: run \`chmod 700 ${folder}\``,
  );
});

test("a symbolic link is refused, as DATA_DIR and in it", async () => {
  const { dataDirectory, folder } = await openHome(newDataDirectory());
  const link = `${dataDirectory}-link`;
  symlinkSync(dataDirectory, link);
  const refusal = (at: string) => `${at} is a symbolic link: replace it with the folder that it leads to, ${others}`;
  await expect(openHome(link)).rejects.toThrow(refusal(link));
  await expect(openHome(`${link}/`)).rejects.toThrow(refusal(link));
  const other = newDataDirectory();
  mkdirSync(other, { mode: 0o700 });
  symlinkSync(folder, path.join(other, "postgres"));
  await expect(openHome(other)).rejects.toThrow(refusal(path.join(other, "postgres")));
});
