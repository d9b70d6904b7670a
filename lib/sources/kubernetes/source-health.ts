import type { SourceProblem, SourceState, SourceStatus } from "../../model/snapshot.ts";
import type { SourceError } from "../source-error.ts";
import type { Clock } from "./clock.ts";

/** What is known about one watched resource: whether it was ever read, whether it is being followed, and what is wrong. */
export class SourceHealth {
  readonly #id: string;
  readonly #clock: Clock;
  #known = false;
  #followed = false;
  #heardAt: number | undefined;
  #problem: SourceProblem | undefined;

  constructor(id: string, clock: Clock) {
    this.#id = id;
    this.#clock = clock;
  }

  /** Whether there is data of it. */
  get known(): boolean {
    return this.#known;
  }

  /** A list is being read for the first time. */
  listing(): void {
    if (!this.#known) this.#problem = undefined;
  }

  /** The list is complete, or the watch goes on where it was: the data is current as long as the watch stands. */
  current(): void {
    this.#known = true;
    this.#problem = undefined;
    this.heard();
  }

  /** Something came that shows that the data is current. */
  heard(): void {
    this.#followed = true;
    this.#heardAt = this.#clock.now();
  }

  /** The watch has ended. */
  interrupted(): void {
    this.#followed = false;
  }

  /** An attempt failed. `gone`: the data must go, since it may no longer be seen, or is no more. */
  failed(error: SourceError, gone: boolean): void {
    this.interrupted();
    this.#problem = error.toProblem();
    if (gone) this.#known = false;
  }

  /** `asOf` is now while the watch stands, else the last moment at which something came. */
  status(): SourceStatus {
    const seen = this.#followed ? this.#clock.now() : this.#heardAt;
    return {
      id: this.#id,
      kind: "kubernetes",
      state: this.#state(),
      asOf: this.#known ? seen : undefined,
      error: this.#problem,
    };
  }

  #state(): SourceState {
    if (!this.#problem) return this.#known ? "live" : "loading";
    const { code } = this.#problem;
    if (this.#known) return "stale";
    return code === "forbidden" || code === "absent" ? code : "unreachable";
  }
}
