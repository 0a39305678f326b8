/** On a terminal, overwrites the last line, or clears it; elsewhere writes nothing. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}
