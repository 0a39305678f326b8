/** Markup that is safe to send as it is. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | undefined | readonly Part[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  if ('markup' in part) return part.markup;
  return part.map(render).join('');
}

/** Escapes everything put into the template, except markup itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : '')).join('');
  return { markup };
}

export const trusted = (markup: string): Html => ({ markup });
