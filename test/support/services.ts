import { globSync } from "node:fs";
import { join } from "node:path";
import type { DescFile, DescService } from "@bufbuild/protobuf";

const generated = join(import.meta.dirname, "../../gen");
const names = globSync("service/**/*_pb.ts", { cwd: generated }).sort();
const modules = await Promise.all(names.map((name) => import(join(generated, name))));

/** Every file of the API, also those that are yet to come. */
export const files: readonly DescFile[] = modules.flatMap((module) =>
  Object.values<{ kind?: string }>(module).filter((each): each is DescFile => each.kind === "file"),
);

export const services: readonly DescService[] = files.flatMap((file) => file.services);
