// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Retirement } from './retirement.tsx';

afterEach(cleanup);

test.each([
  ['2024-11-04', true, 'The club takes no more gifts since 4 November 2024.'],
  ['2024-11-04', false, 'The club takes no more gifts from 4 November 2024 on.'],
])('a club whose gifts end on %s (over: %s) says so', (endsOn, hasEnded, words) => {
  render(<Retirement endsOn={endsOn} hasEnded={hasEnded} />);
  expect(screen.getByRole('status').textContent?.trim()).toBe(words);
});

test('a club without an end says nothing', () => {
  render(<Retirement endsOn={null} hasEnded={false} />);
  expect(screen.queryByRole('status')).toBeNull();
});
