// @vitest-environment jsdom
import { Modal } from '@sparechange/web/ui/modal.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { CallProblem } from '#api/call-problem.ts';
import { AskBeforeLeaving, Form, useCallForm } from './form.tsx';
import { Unsaved } from './unsaved.tsx';

afterEach(cleanup);

/** A form whose call is always refused, for these fields. */
function Refused({ fields }: { fields: Record<string, string> }) {
  const [error, setError] = useState<CallProblem>();
  const { problem, form } = useCallForm(error, () => setError(new CallProblem(400, 'invalid-input', 'No.', fields)));
  return (
    <Form {...form}>
      {['name', 'slug', 'abn'].map((name) => (
        <TextField key={name} label={name} name={name} error={problem(name)} />
      ))}
      <button type="submit">Add club</button>
    </Form>
  );
}

test('after a refusal the first field with a problem has the focus, each time', () => {
  render(<Refused fields={{ abn: 'Please check it', slug: 'Please enter one' }} />);
  for (const time of ['first', 'again']) {
    screen.getByText('Add club').focus();
    fireEvent.submit(screen.getByText('Add club'));
    expect([time, document.activeElement]).toEqual([time, screen.getByLabelText('slug')]);
  }
  fireEvent.change(screen.getByLabelText('name'), { target: { value: 'Bay' } });
  expect(document.activeElement).toBe(screen.getByLabelText('slug'));
});

test('a form with a partly typed day is not sent as if the day were empty', () => {
  const send = vi.fn<(form: FormData) => void>();
  render(
    <Form onSubmit={send}>
      <input type="date" name="until" aria-label="Until (optional)" />
      <button type="submit">Pause</button>
    </Form>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Until (optional)');
  const report = vi.fn<() => boolean>();
  Object.assign(field, { reportValidity: report });
  Object.defineProperty(field, 'validity', { configurable: true, value: { badInput: true } }); // as browsers have it
  fireEvent.click(screen.getByText('Pause'));
  expect(send).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledOnce();
  Object.defineProperty(field, 'validity', { value: { badInput: false } });
  fireEvent.click(screen.getByText('Pause'));
  expect(send).toHaveBeenCalledOnce();
});

test('going back asks before typed values of a dialog are lost, but not in an untouched one', async () => {
  history.replaceState({ idx: 0 }, '', '/clubs');
  history.pushState({ idx: 1 }, '', '/clubs/1');
  render(
    <AskBeforeLeaving value={Unsaved}>
      <Modal title="Edit the club" onClose={() => undefined}>
        <Form onSubmit={() => undefined}>
          <TextField label="Name" name="name" />
        </Form>
      </Modal>
    </AskBeforeLeaving>,
  );
  const leavesFreely = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
  expect(leavesFreely()).toBe(true);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Bay' } });
  expect(leavesFreely()).toBe(false);
  history.back();
  expect(await screen.findByText('Leave without saving?')).toBeTruthy();
  await waitFor(() => expect(location.pathname).toBe('/clubs/1'));
});

test('a form outside a dialog does not ask', () => {
  render(
    <Form onSubmit={() => undefined}>
      <TextField label="Email" name="email" />
    </Form>,
  );
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'olive@example.com' } });
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true);
});
