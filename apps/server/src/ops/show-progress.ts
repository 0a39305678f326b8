/** The state of a long piece of work. */
export interface Progress {
  /** Names the work in hand, such as "clubs import" or "Day 3 of 12: remit". */
  words: string;
  /** The part that is done, from 0 to 1, where it is known. */
  share?: number | undefined;
}

/** The part of a terminal that is written to; standard error has it. */
interface Terminal {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write: (text: string) => unknown;
}

const barCells = 20;
const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Writes a duration in milliseconds as 0:07, 12:03 or 1:02:03. */
function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const start = hours > 0 ? `${hours}:${twoDigits(minutes)}` : String(minutes);
  return `${start}:${twoDigits(seconds % 60)}`;
}

function bar(share: number): string {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * barCells);
  return `[${'#'.repeat(full)}${'.'.repeat(barCells - full)}] `;
}

/** Returns the line of work that began this long ago; it never fills the last column, where terminals would wrap. */
export function progressLine({ words, share }: Progress, ms: number, columns = 80): string {
  const start = share === undefined ? '' : bar(share);
  const end = ` ${formatDuration(ms)}`;
  const room = Math.max(columns - 1 - start.length - end.length, 1);
  const fitted = words.length > room ? `${words.slice(0, room - 1)}…` : words;
  return `${start}${fitted}${end}`.slice(0, Math.max(columns - 1, 0));
}

/** Time before anything is shown: most commands are done by then. */
const patienceMs = 2_000;
const tickMs = 1_000;
const clearLine = '\r\x1b[K';

/** Shows the progress of one command after another as one line of a terminal; anything else stays as it is. */
export function progressOn(terminal: Terminal, now: () => number = () => performance.now()) {
  let begun: { at: number; timer: NodeJS.Timeout } | undefined;
  let progress: Progress = { words: '' };
  let isShown = false;

  const clear = (): void => {
    if (isShown) terminal.write(clearLine);
    isShown = false;
  };
  const paint = (): void => {
    if (!begun || now() - begun.at < patienceMs) return;
    terminal.write(`${clearLine}${progressLine(progress, now() - begun.at, terminal.columns)}`);
    isShown = true;
  };
  const end = (): void => {
    if (begun) clearInterval(begun.timer);
    begun = undefined;
    clear();
  };
  return {
    /** Begins a piece of work; nothing is shown until it takes long. */
    begin: (words: string): void => {
      end();
      progress = { words };
      if (terminal.isTTY) begun = { at: now(), timer: setInterval(paint, tickMs).unref() };
    },
    /** Says how far the work is. */
    say: (said: Progress): void => {
      progress = said;
      paint();
    },
    /** Makes room for a line of output; the next tick shows the progress below it. */
    clear,
    /** Ends the work and clears the line. */
    end,
  };
}

/** The progress of this process's command, on standard error. */
export const progress = progressOn(process.stderr);
