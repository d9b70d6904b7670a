import type { KubernetesObject, ObjectRef } from "../testing/api-server/kubernetes-object.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";
import { shiftTimes } from "./shift-times.ts";

/** Where the objects are shown: an API server. */
export interface PlayerTarget {
  apply(objects: readonly KubernetesObject[]): void;
  remove(refs: readonly ObjectRef[]): void;
}

/** `KIND/NAMESPACE/NAME` -> object */
type Objects = ReadonlyMap<string, KubernetesObject>;

/**
 * Plays a scenario's steps onto a target, one after the other or at will.
 *
 * Times: those of the base are moved by the distance from the scenario's `now` to the start of the player, so that
 * "Pending for 41 minutes" holds whenever it starts. Those of a step's files are moved to the moment at which the step is
 * applied, as if that were `now`; an object that is already there keeps its creationTimestamp, as on a real API server.
 */
export class Player {
  readonly #scenario: Scenario;
  readonly #target: PlayerTarget;
  readonly #clock: () => number;
  readonly #base: Objects;
  readonly #listeners = new Set<() => void>();
  #shown: Objects = new Map();
  #step = 0;
  #playing = true;
  #timer: NodeJS.Timeout | undefined;

  /** Shows the first step and begins to play. `clock`: epoch milliseconds. */
  constructor(scenario: Scenario, target: PlayerTarget, clock: () => number) {
    this.#scenario = scenario;
    this.#target = target;
    this.#clock = clock;
    const objects = shiftTimes(scenario.objects, clock() - scenario.now);
    this.#base = new Map(objects.map((object) => [keyOf(refOf(object)), object]));
    this.goTo(0);
  }

  /** Index of the step that is shown. */
  get step(): number {
    return this.#step;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /**
   * Shows exactly what is there after `step`, from whatever was shown before.
   * @throws RangeError where there is no such step.
   */
  goTo(step: number): void {
    const { steps } = this.#scenario;
    if (!Number.isInteger(step) || step < 0 || step >= steps.length) {
      throw new RangeError(`expected a step from 0 to ${steps.length - 1}, found ${step}`);
    }
    this.#show(
      step,
      steps.slice(0, step + 1).reduce((objects, each) => this.#after(objects, each), this.#base),
    );
  }

  /** Goes on by itself, or stays at its step. */
  setPlaying(playing: boolean): void {
    this.#playing = playing;
    this.#schedule();
    this.#notify();
  }

  /** Calls `listener` whenever the step or `playing` has changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#playing = false;
    this.#listeners.clear();
  }

  #advance(): void {
    const { steps, loops } = this.#scenario;
    const next = (this.#step + 1) % steps.length;
    const step = steps[next];
    if (!step || (next === 0 && !loops)) this.goTo(0);
    else this.#show(next, this.#after(this.#shown, step));
  }

  #after(objects: Objects, step: ScenarioStep): Objects {
    const after = new Map(objects);
    for (const ref of step.remove) after.delete(keyOf(ref));
    for (const object of shiftTimes(step.apply, this.#clock() - this.#scenario.now)) {
      const key = keyOf(refOf(object));
      const creationTimestamp =
        after.get(key)?.metadata.creationTimestamp ?? object.metadata.creationTimestamp;
      after.set(key, { ...object, metadata: { ...object.metadata, creationTimestamp } });
    }
    return after;
  }

  #show(step: number, objects: Objects): void {
    const gone = [...this.#shown].filter(([key]) => !objects.has(key));
    const changed = [...objects].filter(([key, object]) => this.#shown.get(key) !== object);
    this.#target.remove(gone.map(([, object]) => refOf(object)));
    this.#target.apply(changed.map(([, object]) => object));
    this.#shown = objects;
    this.#step = step;
    this.#schedule();
    this.#notify();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#playing) return;
    this.#timer = setTimeout(() => this.#advance(), this.#scenario.steps[this.#step]?.duration);
    this.#timer.unref();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function refOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
}

function keyOf({ kind, namespace, name }: ObjectRef): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}
