import type { FileAnswer } from '@sparechange/contract/console';
import { csv, textCell } from '@sparechange/domain';
import { saveFile as save } from '@sparechange/web/ui/save-file.ts';

/** Lets the browser save a file answered as base64. */
export function saveFile({ name, mediaType, content }: FileAnswer): void {
  save([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], { name, type: mediaType });
}

/** Lets the browser save rows as a CSV file that spreadsheets open as UTF-8. */
export function saveCsv(name: string, rows: string[][]): void {
  const text = csv(rows.map((row) => row.map(textCell)));
  save(['\uFEFF', text], { name: `${name}.csv`, type: 'text/csv;charset=utf-8' });
}
