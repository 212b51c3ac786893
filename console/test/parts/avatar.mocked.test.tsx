import { UserSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { fireEvent, render } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";

vi.mock("../../src/settings.ts", () => ({ settings: { avatarOrigins: ["https://pictures.example"] } }));
// Anew, because another file may have loaded it with other settings.
vi.resetModules();
const { Avatar, initials } = await import("../../src/parts/avatar.tsx");

function shown(avatarUrl: string): HTMLElement {
  const user = create(UserSchema, { id: "ann", displayName: "Ann Keller", avatarUrl });
  const { container, unmount } = render(<Avatar user={user} />);
  onTestFinished(unmount);
  return container;
}

it("a picture of an allowed origin is shown, which is not told where it stands", () => {
  const picture = shown("https://pictures.example/ann.png").querySelector("img");
  expect(picture?.getAttribute("src")).toBe("https://pictures.example/ann.png");
  expect(picture?.getAttribute("referrerpolicy")).toBe("no-referrer");
  expect(picture?.getAttribute("alt")).toBe("");
});

it.each([
  "",
  "https://elsewhere.example/ann.png",
  "https://pictures.example.elsewhere.example/ann.png",
  "https://pictures.example@elsewhere.example/ann.png",
  "http://pictures.example/ann.png",
  "//pictures.example/ann.png",
  "javascript:alert(1)",
  "data:image/png;base64,AAAA",
])("no picture is asked for at %j: the initials stand there", (url) => {
  const place = shown(url);
  expect(place.querySelector("img")).toBeNull();
  expect(place.textContent).toBe("AK");
});

it("a picture that cannot be loaded gives way to the initials", () => {
  const place = shown("https://pictures.example/gone.png");
  fireEvent.error(place.querySelector("img") as HTMLImageElement);
  expect(place.textContent).toBe("AK");
});

it.each([
  ["Ann Keller", "AK"],
  ["Ann", "A"],
  ["ann.keller@acme.example", "AE"],
  ["高木 恵美", "高恵"],
  ["𝒜nn b", "𝒜B"],
  ["", ""],
])("the initials of %j are %j", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
