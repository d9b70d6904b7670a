import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Connection, keepEventStream } from "./event-stream.ts";

/** An EventSource that does what the test says. */
class ScriptedSource extends EventTarget {
  readyState = 0;
  close(): void {
    this.readyState = 2;
  }
  answer(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  send(event: string, data: string): void {
    this.dispatchEvent(new MessageEvent(event, { data }));
  }
  breakOff(readyState: 0 | 2): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}

function keep() {
  const sources: ScriptedSource[] = [];
  const frames: [string, string][] = [];
  const connections: Connection[] = [];
  const close = keepEventStream({
    open: () => {
      const source = new ScriptedSource();
      sources.push(source);
      return source;
    },
    events: ["view", "demo"],
    onFrame: (event, data) => frames.push([event, data]),
    onConnection: (connection) => connections.push(connection),
    random: () => 1,
  });
  const last = (): ScriptedSource => {
    const source = sources.at(-1);
    if (!source) throw new Error("no source was opened");
    return source;
  };
  return { sources, frames, connections, last, close };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("keepEventStream", () => {
  it("hands on the named events and no others", () => {
    const { last, frames } = keep();
    last().answer();
    last().send("view", "{}");
    last().send("other", "{}");
    last().send("demo", "null");
    expect(frames).toEqual([
      ["view", "{}"],
      ["demo", "null"],
    ]);
  });

  it("says that it connects before the first answer and is lost after one", () => {
    const { last, connections } = keep();
    last().breakOff(0);
    last().answer();
    last().breakOff(0);
    last().answer();
    expect(connections).toEqual(["connecting", "open", "lost", "open"]);
  });

  it("leaves a short break to the browser", () => {
    const { last, sources } = keep();
    last().answer();
    last().breakOff(0);
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
  });

  it("opens anew where the browser gave up, ever more slowly, and fast again after an answer", () => {
    const { last, sources } = keep();
    const opensAfter = (delay: number): void => {
      const before = sources.length;
      last().breakOff(2);
      vi.advanceTimersByTime(delay - 1);
      expect(sources).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sources).toHaveLength(before + 1);
    };
    for (const delay of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) opensAfter(delay);
    last().answer();
    opensAfter(1_000);
  });

  it("opens only once for several errors of one source", () => {
    const { last, sources } = keep();
    const first = last();
    first.breakOff(2);
    first.breakOff(2);
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(2);
  });

  it("ends for good", () => {
    const { last, sources, close } = keep();
    last().breakOff(2);
    close();
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
    expect(last().readyState).toBe(2);
  });
});
