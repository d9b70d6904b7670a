/** Values that a pool remembers; then it starts over, so that it cannot grow for ever. */
const LIMIT = 50_000;

/** Gives one and the same value for all equal ones: 100,000 pods have few different images, labels and tolerations between them. */
export class Pool<T> {
  readonly #keyOf: (value: T) => string;
  readonly #values = new Map<string, T>();

  /** `keyOf`: the same text for values that are equal. */
  constructor(keyOf: (value: T) => string) {
    this.#keyOf = keyOf;
  }

  share(value: T): T {
    const key = this.#keyOf(value);
    const shared = this.#values.get(key);
    if (shared !== undefined) return shared;
    if (this.#values.size >= LIMIT) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
