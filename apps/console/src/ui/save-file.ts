import type { FileAnswer } from '@sparechange/contract/console';
import { csv, textCell } from '@sparechange/domain';

/** Lets the browser save a file. */
export function saveFile({ name, mediaType, content }: FileAnswer): void {
  save(name, new Blob([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], { type: mediaType }));
}

/** Lets the browser save rows as a CSV file that spreadsheets open as UTF-8. */
export function saveCsv(name: string, rows: string[][]): void {
  const text = csv(rows.map((row) => row.map(textCell)));
  save(`${name}.csv`, new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers read it only when the person has chosen a place
}
