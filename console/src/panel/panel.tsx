/** Everything about one assignment. */
export function Panel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <aside className="panel" aria-label="Assignment">
      <button type="button" onClick={onClose}>
        Close
      </button>
      {id}
    </aside>
  );
}
