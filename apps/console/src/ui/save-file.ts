import type { FileAnswer } from '@sparechange/contract/console';

/** Lets the browser save a file. */
export function saveFile({ name, mediaType, content }: FileAnswer): void {
  save(name, new Blob([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], { type: mediaType }));
}

/** Keeps a spreadsheet from taking a text for a formula. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Lets the browser save rows as a CSV file that spreadsheets open as UTF-8. */
export function saveCsv(name: string, rows: string[][]): void {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  save(`${name}.csv`, new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv;charset=utf-8' }));
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers read it only when the person has chosen a place
}
