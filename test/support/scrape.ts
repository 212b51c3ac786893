export type Scrape = Awaited<ReturnType<typeof scrape>>;

/** What a scrape of the metrics says: the value of each series, by its name and labels as they are written. */
export async function scrape(url: string | undefined) {
  const response = await fetch(url ?? "");
  if (response.status !== 200) throw new Error(`the metrics answer ${response.status}`);
  const lines = (await response.text()).split("\n");
  const values = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))] as const);
  /** Of each metric the series have one name, but histograms, which have three. */
  const metrics = lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ")[2] ?? "");
  return { values: new Map(values), metrics };
}
