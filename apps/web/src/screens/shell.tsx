import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Outlet } from 'react-router';
import { useNewVersion } from '#api/new-version.ts';
import { queryClient } from '#api/query-client.ts';
import { watchForNewVersion } from '#api/service-worker.ts';
import { readStored } from '#api/stored.ts';
import { NewVersionBar } from '#ui/new-version-bar.tsx';
import { WaitingPage } from '#ui/waiting.tsx';
import { isFrugal, whenIdle } from '#ui/when-idle.ts';

/** Makes the app available offline once somebody has signed in. */
function useServiceWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || isFrugal() || !readStored('userId')) return undefined;
    return whenIdle(() => void watchForNewVersion().catch((error: unknown) => console.error(error)));
  }, []);
}

/** Wraps screens in the query client, except login and landing. */
export default function Shell() {
  useServiceWorker();
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<WaitingPage />}>
        <Outlet />
      </Suspense>
      <NewVersionBar onUse={useNewVersion()} />
    </QueryClientProvider>
  );
}
