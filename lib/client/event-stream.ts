/** Whether news still arrives: `connecting` before the first answer, `lost` after one. */
export type Connection = "open" | "connecting" | "lost";

/** The part of the browser's EventSource that is used. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
}

const CLOSED = 2;
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/**
 * Keeps one event stream open for as long as the page lives. Short breaks are the browser's own business; where it gives
 * up (an answer that is no stream, e.g. 503 while the server restarts), the stream is opened anew after a growing delay.
 *
 * @param options.open makes the EventSource
 * @param options.onFrame gets each event's name and data
 * @param options.random in [0, 1), spreads the delays of many tabs
 * @returns ends it for good
 */
export function keepEventStream(options: {
  readonly open: () => EventSourceLike;
  readonly events: readonly string[];
  readonly onFrame: (event: string, data: string) => void;
  readonly onConnection: (connection: Connection) => void;
  readonly random?: () => number;
}): () => void {
  const { random = Math.random } = options;
  let source: EventSourceLike | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_DELAY;
  let wasOpen = false;

  const connect = (): void => {
    timer = undefined;
    const opened = options.open();
    source = opened;
    opened.addEventListener("open", () => {
      delay = FIRST_DELAY;
      wasOpen = true;
      options.onConnection("open");
    });
    opened.addEventListener("error", () => {
      options.onConnection(wasOpen ? "lost" : "connecting");
      if (opened.readyState !== CLOSED || timer !== undefined) return;
      timer = setTimeout(connect, delay * (0.5 + random() / 2));
      delay = Math.min(LONGEST_DELAY, delay * 2);
    });
    for (const event of options.events) {
      opened.addEventListener(event, (message) => {
        if (message instanceof MessageEvent && typeof message.data === "string") {
          options.onFrame(event, message.data);
        }
      });
    }
  };

  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
