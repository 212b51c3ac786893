import { globSync } from "node:fs";
import { join } from "node:path";
import type { DescService } from "@bufbuild/protobuf";

const generated = join(import.meta.dirname, "../../gen");
const files = globSync("service/**/*_pb.ts", { cwd: generated }).sort();
const described = await Promise.all(files.map((file) => import(join(generated, file))));

/** Every service there is, also those that are yet to come. */
export const services: readonly DescService[] = described.flatMap((file) =>
  Object.values<{ kind?: string }>(file).filter((each): each is DescService => each.kind === "service"),
);
