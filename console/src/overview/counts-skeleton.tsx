import { facetWords } from "../words/facets.ts";

const lines = Array.from({ length: 6 }, (_, index) => index);

/** A placeholder for the charts, shown if loading takes longer than a moment. */
export function CountsSkeleton() {
  return (
    <div className="charts charts-skeleton" role="status" aria-label={facetWords.counting}>
      {["time", "state", "organization", "project", "role"].map((chart) => (
        <div key={chart} className={chart === "time" ? "chart chart-wide skeleton" : "chart skeleton"}>
          {lines.map((line) => (
            <span key={line} />
          ))}
        </div>
      ))}
    </div>
  );
}
