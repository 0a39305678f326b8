import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { logsAnError } from '#testing/logged.ts';
import { OpenedPart } from './opened-part.tsx';
import { StatusLine } from './status-line.tsx';

interface Opened {
  onClose: () => void;
}

const Dialog = ({ onClose }: Opened) => (
  <p>
    Opened{' '}
    <button type="button" onClick={onClose}>
      Close
    </button>
  </p>
);
const load = vi.fn<() => Promise<{ default: typeof Dialog }>>();

function Page() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <OpenedPart load={load} of={{ onClose: close }} onFailed={close} />}
      <StatusLine />
    </>
  );
}

test('a part whose code cannot be loaded leaves the page, says so, and opens with the next press', async () => {
  logsAnError();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce({ default: Dialog });
  render(<Page />);
  const open = screen.getByRole('button', { name: 'Open' });
  await userEvent.click(open);
  expect(await screen.findByText(/could not be opened/)).toBeVisible();
  expect(screen.queryByText('Opened')).toBeNull();
  await userEvent.click(open);
  expect(await screen.findByText('Opened')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Opened')).toBeNull();
});
