/** Returns a path or an address without the slashes at its end, which an expression would count from each of them. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
