// One question of a panel at a time: a new one ends the one before; what it said so far, that it runs, and what went
// wrong are the panel's to show.
import { onUnmounted, ref, shallowRef } from 'vue';
import type { Ref, ShallowRef } from 'vue';
import type { CallOptions } from './client.ts';
import type { Progress } from './protocol.ts';

export interface Asking<T> {
  readonly answer: ShallowRef<T | null>;
  readonly error: Ref<string>;
  readonly isRunning: Ref<boolean>;
  readonly progress: ShallowRef<Progress | null>;
  ask: (question: (options: CallOptions) => Promise<T>) => Promise<T | null>;
  cancel: () => void;
}

export function useAsking<T>(): Asking<T> {
  const answer = shallowRef<T | null>(null);
  const progress = shallowRef<Progress | null>(null);
  const error = ref('');
  const isRunning = ref(false);
  let current: AbortController | null = null;

  function cancel(): void {
    current?.abort(new DOMException('given up', 'AbortError'));
    current = null;
    isRunning.value = false;
  }

  async function ask(question: (options: CallOptions) => Promise<T>): Promise<T | null> {
    cancel();
    const mine = new AbortController();
    current = mine;
    error.value = '';
    progress.value = null;
    isRunning.value = true;
    try {
      const found = await question({
        signal: mine.signal,
        onProgress: (step) => {
          if (current === mine) progress.value = step;
        },
      });
      if (current !== mine) return null;
      answer.value = found;
      return found;
    } catch (thrown) {
      if (current === mine) error.value = thrown instanceof Error ? thrown.message : String(thrown);
      return null;
    } finally {
      if (current === mine) {
        current = null;
        isRunning.value = false;
      }
    }
  }

  onUnmounted(cancel);
  return { answer, error, isRunning, progress, ask, cancel };
}
