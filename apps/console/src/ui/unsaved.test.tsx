// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter, Link, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Unsaved } from './unsaved.tsx';

beforeEach(() => {
  history.pushState(null, '', '/mail'); // further back may be what another test has left
  render(
    <BrowserRouter>
      <Link to="/tenants">Tenants</Link>
      <Link to="/mail">Mail</Link>
      <Routes>
        <Route path="/tenants" element={<Unsaved />} />
        <Route path="/mail" element={<h1>The mail</h1>} />
      </Routes>
    </BrowserRouter>,
  );
  fireEvent.click(screen.getByText('Tenants'));
  expect(screen.queryByText('The mail')).toBeNull();
});
afterEach(cleanup);

const question = () => screen.queryByText('Leave without saving?');

test('a link leaves unsaved changes only after asking', () => {
  fireEvent.click(screen.getByText('Mail'));
  expect([question() !== null, location.pathname]).toEqual([true, '/tenants']);
  fireEvent.click(screen.getByText('Cancel'));
  expect(question()).toBeNull();
  fireEvent.click(screen.getByText('Mail'));
  expect(screen.getByRole('button', { name: 'Leave' }).hasAttribute('data-dangerous')).toBe(true);
  fireEvent.click(screen.getByText('Leave'));
  expect([screen.queryByText('The mail') !== null, location.pathname]).toEqual([true, '/mail']);
});

test('going back leaves unsaved changes only after asking', async () => {
  for (const _once of [1, 2]) {
    act(() => history.back());
    await waitFor(() => expect([question() !== null, location.pathname]).toEqual([true, '/tenants']));
    fireEvent.click(screen.getByText('Cancel'));
    expect([question(), screen.queryByText('The mail')]).toEqual([null, null]);
  }
  act(() => history.back());
  await waitFor(() => expect([question() !== null, location.pathname]).toEqual([true, '/tenants']));
  fireEvent.click(screen.getByText('Leave'));
  await screen.findByText('The mail');
  expect([question(), location.pathname]).toEqual([null, '/mail']);
});

test('closing the page asks while there is something to lose', () => {
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
  fireEvent.click(screen.getByText('Mail'));
  fireEvent.click(screen.getByText('Leave'));
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true);
});
