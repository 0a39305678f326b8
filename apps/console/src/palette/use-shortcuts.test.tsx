// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Asked, useShortcuts } from './use-shortcuts.ts';

afterEach(() => {
  cleanup();
  show.mockClear();
});

const show = vi.fn<(asked: Asked) => void>();

function Page() {
  useShortcuts(show);
  return (
    <main>
      <input type="search" aria-label="Search" />
      {['First', 'Second'].map((name) => (
        <p key={name} data-opens>
          <a href={`#${name}`}>{name}</a>
        </p>
      ))}
    </main>
  );
}

Element.prototype.checkVisibility = () => true; // jsdom has none

const press = (key: string, held: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held });
const focused = () => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label');

test('j and k move between rows, and stay at either end', () => {
  render(<Page />);
  press('j');
  expect(focused()).toBe('First');
  press('j');
  press('j');
  expect(focused()).toBe('Second');
  press('k');
  press('k');
  expect(focused()).toBe('First');
});

test('a stroke goes to the search of the page, where letters are text', () => {
  render(<Page />);
  press('/');
  expect(focused()).toBe('Search');
  press('j');
  press('?');
  expect(focused()).toBe('Search');
  expect(show).not.toHaveBeenCalled();
  press('k', { ctrlKey: true });
  expect(show).toHaveBeenLastCalledWith('palette');
});

test('a question mark shows the keys, and Command K the palette; not over a dialog', () => {
  render(<Page />);
  press('?');
  press('K', { metaKey: true });
  expect(show.mock.calls).toEqual([['keys'], ['palette']]);
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  press('?');
  press('k', { metaKey: true });
  dialog.remove();
  expect(show).toHaveBeenCalledTimes(2);
});
