// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { usePageTop } from './page-top.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Pages() {
  usePageTop();
  return (
    <>
      <Link to="/clubs/1">A club</Link>
      <Link to="/clubs/1?month=2026-11" replace>
        November
      </Link>
      <Outlet />
    </>
  );
}

test('another page opens at its top; a filter and going back leave it to the browser', async () => {
  const scroll = vi.fn<(to: ScrollToOptions) => void>();
  vi.stubGlobal('scrollTo', scroll);
  const router = createMemoryRouter([{ path: '*', element: <Pages /> }], { initialEntries: ['/clubs'] });
  render(<RouterProvider router={router} />);
  expect(scroll).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('A club'));
  expect(scroll).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ top: 0 }));
  fireEvent.click(screen.getByText('November'));
  await act(() => router.navigate(-1));
  expect(scroll).toHaveBeenCalledOnce();
});
