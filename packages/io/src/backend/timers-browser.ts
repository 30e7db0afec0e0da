// The same for browsers: messages, because they call timers of a page that is not seen once a second.

/** A turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel() as unknown as Channel;
    port1.onmessage = () => {
      port2.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

interface Channel {
  readonly port1: { onmessage: () => void };
  readonly port2: { postMessage(message: unknown): void; close(): void };
}
