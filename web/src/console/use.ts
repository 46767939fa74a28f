// Reading a list page by page, and doing something that may be refused.
import { useEffect, useState } from 'preact/hooks';
import { wordsFor } from '../text/problem';
import { operate } from './access';

export interface Listed<T> {
  items: T[] | null;
  problem: string | null;
  /** There are more: reads them. */
  more: (() => void) | null;
  again(): void;
}

/** `page` makes the address of the page after `cursor`, and `take` what is in an answer. */
export function useList<A, T>(
  page: (cursor: string | null) => string,
  take: (answer: A) => { items: T[]; next: string | null },
  key: string,
): Listed<T> {
  const [items, setItems] = useState<T[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const read = async (cursor: string | null, isWanted: () => boolean) => {
    try {
      const found = take(await operate<A>('GET', page(cursor)));
      if (!isWanted()) return;
      setItems((before) => (cursor === null ? found.items : [...(before ?? []), ...found.items]));
      setNext(found.next);
      setProblem(null);
    } catch (error) {
      if (isWanted()) setProblem(wordsFor(error));
    }
  };
  useEffect(() => {
    let wanted = true;
    void read(null, () => wanted);
    return () => void (wanted = false);
  }, [key, round]);
  return {
    items,
    problem,
    more: next === null ? null : () => void read(next, () => true),
    again: () => setRound((n) => n + 1),
  };
}

/** Something the operator does; what went wrong is said beside it. */
export function useAct() {
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const act = async (what: () => Promise<unknown>, words: string): Promise<boolean> => {
    setProblem(null);
    setDone(null);
    try {
      await what();
      setDone(words);
      return true;
    } catch (error) {
      setProblem(wordsFor(error));
      return false;
    }
  };
  return { problem, done, act };
}
