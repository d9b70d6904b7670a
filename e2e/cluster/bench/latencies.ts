/** A change that the API server has taken. Changes of one pod are numbered upwards. */
export interface Change {
  readonly pod: string;
  readonly number: number;
  /** Milliseconds, on the clock of the sightings. */
  readonly acknowledgedAt: number;
}

/** A view shows a pod's state after its change `number`, which it did not before. */
export interface Sighting {
  readonly pod: string;
  readonly number: number;
  readonly at: number;
}

/** What became of the changes. */
export interface Latencies {
  /** Milliseconds from the acknowledgement to the first view that shows this or a later state of the pod, sorted; 0 where the view came first. */
  readonly sorted: readonly number[];
  /** Changes that no view has shown: neither they nor a later one of their pod. */
  readonly lost: number;
}

/** @param sightings in the order in which they were made */
export function latencies(changes: readonly Change[], sightings: readonly Sighting[]): Latencies {
  const ofPod = Map.groupBy(sightings, ({ pod }) => pod);
  const found = changes.map(({ pod, number, acknowledgedAt }) => {
    const first = ofPod.get(pod)?.find((sighting) => sighting.number >= number);
    return first && Math.max(0, first.at - acknowledgedAt);
  });
  const sorted = found.filter((each) => each !== undefined).sort((a, b) => a - b);
  return { sorted, lost: changes.length - sorted.length };
}

/** @param share 0.5 is the median; NaN where there is nothing */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
