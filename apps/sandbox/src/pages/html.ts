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

/** A table, or a sentence where it has no rows. */
export const table = (heads: string[], rows: Html[], nothing: string): Html =>
  rows.length === 0
    ? html`<p class="quiet">${nothing}</p>`
    : html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

const times = new Intl.DateTimeFormat('en-AU', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Australia/Sydney',
});

/** An instant as clocks in Sydney show it. */
export const localTime = (instant: number): string => times.format(instant);
