import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Button } from './button.tsx';

/** Makes the button busy; browsers then take the focus from it, since it is disabled. */
function pressWithKeyboard() {
  const { rerender } = render(<Button>Skip this debit</Button>);
  const button = screen.getByRole('button');
  button.focus();
  rerender(<Button isBusy>Skip this debit</Button>);
  button.blur();
  expect(document.body).toHaveFocus();
  return { button, answer: () => rerender(<Button>Undo skip</Button>) };
}

test('a button that was busy has the focus again', () => {
  const { button, answer } = pressWithKeyboard();
  answer();
  expect(button).toHaveFocus();
});

test('a button that was busy leaves the focus where it has moved since', () => {
  const { answer } = pressWithKeyboard();
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  answer();
  expect(field).toHaveFocus();
  field.remove();
});
