import { useEffect } from 'react';

/** Parts of the shell that a key opens. */
export type Asked = 'palette' | 'keys';

const openers = '[data-opens] :is(a, button)';
const typesHere = 'input, textarea, select, [contenteditable="true"]';

/** Moves the focus between the openers of a page's rows. */
function step(steps: 1 | -1): void {
  // Those of a closed part cannot have the focus.
  const rows = [...document.querySelectorAll(`main ${openers}`)].filter((row) => row.checkVisibility());
  const now = rows.indexOf(document.activeElement ?? document.body);
  const next = rows[now === -1 ? 0 : now + steps];
  if (next instanceof HTMLElement) next.focus();
}

function searchPage(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Listens to the console's keys; those of one letter are left to fields and open dialogs. */
export function useShortcuts(show: (asked: Asked) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isInDialog = document.querySelector('dialog[open]') !== null;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isInDialog) show('palette');
        return;
      }
      const isTyping = target instanceof Element && target.closest(typesHere) !== null;
      if (ctrlKey || metaKey || altKey || isInDialog || isTyping) return;
      if (key === '/' && searchPage()) event.preventDefault();
      if (key === '?') show('keys');
      if (key === 'j') step(1);
      if (key === 'k') step(-1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [show]);
}
