import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { queryClient } from '#api/query-client.ts';
import { WaitingPage } from '#ui/waiting.tsx';

/** Wraps every screen but login in the query client. */
export default function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<WaitingPage />}>
        <Outlet />
      </Suspense>
    </QueryClientProvider>
  );
}
