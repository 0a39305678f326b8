// @vitest-environment jsdom
import { isoDate } from '@sparechange/domain';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { dayColumn } from './columns.tsx';

afterEach(cleanup);

test('a day in a list has its year, as lists reach back over years', () => {
  const { show, text } = dayColumn('Day', (day: string | null) => (day === null ? null : isoDate(day)));
  const { container } = render(show?.('2024-11-04'));
  expect([container.textContent, text('2024-11-04')]).toEqual(['Mon 4 Nov 2024', '2024-11-04']);
  expect([show?.(null), text(null)]).toEqual([null, '']);
});
