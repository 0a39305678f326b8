// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter, Link, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Unsaved } from './unsaved.tsx';

beforeEach(() => {
  // The browser of this test has no dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  history.replaceState(null, '', '/mail');
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

test('a link leaves what is not saved once it was asked, and not before', () => {
  fireEvent.click(screen.getByText('Mail'));
  expect([question() !== null, location.pathname]).toEqual([true, '/tenants']);
  fireEvent.click(screen.getByText('Cancel'));
  expect(question()).toBeNull();
  fireEvent.click(screen.getByText('Mail'));
  fireEvent.click(screen.getByText('Leave'));
  expect([screen.queryByText('The mail') !== null, location.pathname]).toEqual([true, '/mail']);
});

test('going back asks too, and so does closing the page', async () => {
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
  act(() => history.back());
  await waitFor(() => expect(question()).not.toBeNull());
  await waitFor(() => expect(location.pathname).toBe('/tenants'));
  fireEvent.click(screen.getByText('Leave'));
  await screen.findByText('The mail');
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true);
});
