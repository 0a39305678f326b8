import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { queryClient } from '#api/query-client.ts';
import { watchForNewVersion } from '#api/service-worker.ts';
import { readStored } from '#api/stored.ts';
import { NewVersionBar } from '#ui/new-version-bar.tsx';
import { WaitingPage } from '#ui/waiting.tsx';
import { isFrugal, whenIdle } from '#ui/when-idle.ts';

/** Keeps the app for times without a network once somebody has signed in, and returns what a new version is used by. */
function useNewVersion(): (() => void) | undefined {
  const [use, setUse] = useState<() => void>();
  useEffect(() => {
    if (!import.meta.env.PROD || isFrugal() || !readStored('userId')) return undefined;
    return whenIdle(() => {
      watchForNewVersion((use) => setUse(() => use)).catch((error: unknown) => console.error(error));
    });
  }, []);
  return use;
}

/** Wraps every screen but login in the query client. */
export default function Shell() {
  const use = useNewVersion();
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<WaitingPage />}>
        <Outlet />
      </Suspense>
      <NewVersionBar use={use} />
    </QueryClientProvider>
  );
}
