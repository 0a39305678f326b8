// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Written } from './bank-files.tsx';

afterEach(cleanup);

test('unreadable orders are named, and the page is not called empty', () => {
  const references = Array.from({ length: 22 }, (_, place) => `RU${place}`);
  const { rerender } = render(<Written files={[]} unreadable={references} />);
  expect(screen.getByText('No file was written.')).toBeTruthy();
  expect(screen.getByText(/^22 orders are in no file, .*RU0, .*RU19 and 2 more\./)).toBeTruthy();
  rerender(<Written files={[]} unreadable={[]} />);
  expect(screen.getByText('Nothing waited, so no file was written.')).toBeTruthy();
});
