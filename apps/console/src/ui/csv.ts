/** Keeps a spreadsheet from taking a text for a formula. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Lets the browser save rows as a CSV file that spreadsheets open as UTF-8. */
export function saveCsv(name: string, rows: string[][]): void {
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers read it only when the person has chosen a place
}
