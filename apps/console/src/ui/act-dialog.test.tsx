// @vitest-environment jsdom

import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { ActDialog } from './act-dialog.tsx';

signedInAs('owner');
afterEach(cleanup);

test('while an act is under way Escape does not close its dialog, which will show the result', async () => {
  const closed = vi.fn<() => void>();
  let answer: (secret: string) => void = () => undefined;
  render(
    <QueryClientProvider client={queryClient}>
      <ActDialog
        title="Make a key"
        action="Make it"
        act={() => new Promise<string>((resolve) => (answer = resolve))}
        after={(secret) => <p>{secret}</p>}
        onClose={closed}
      >
        {() => null}
      </ActDialog>
    </QueryClientProvider>,
  );
  const dialog = screen.getByRole('dialog');
  const pressEscape = () => fireEvent(dialog, new Event('cancel', { cancelable: true }));
  fireEvent.click(screen.getByText('Make it'));
  await waitFor(() => expect(screen.getByText('Make it').closest('button')?.disabled).toBe(true));
  pressEscape();
  expect(closed).not.toHaveBeenCalled();
  answer('sparechange_secret');
  await screen.findByText('sparechange_secret');
  pressEscape();
  expect(closed).toHaveBeenCalledOnce();
});

test('Escape closes an untouched dialog, and keeps one with typed values', () => {
  const closed = vi.fn<() => void>();
  render(
    <QueryClientProvider client={queryClient}>
      <ActDialog title="Refund" action="Refund it" act={async () => {}} onClose={closed}>
        {() => <input aria-label="Reason" />}
      </ActDialog>
    </QueryClientProvider>,
  );
  const pressEscape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  pressEscape();
  expect(closed).toHaveBeenCalledOnce();
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'charged twice' } });
  pressEscape();
  expect(closed).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByText('Cancel'));
  expect(closed).toHaveBeenCalledTimes(2);
});
