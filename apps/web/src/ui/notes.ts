/** Time the status line shows results without their own place. */
const shownForMs = 12_000;

let note = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(words: string): void {
  note = words;
  for (const listener of listeners) listener();
}

export function showNote(words: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => become(''), shownForMs);
  become(words);
}

export function clearNote(): void {
  clearTimeout(timer);
  if (note !== '') become('');
}

export const currentNote = (): string => note;

export function onNoteChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
