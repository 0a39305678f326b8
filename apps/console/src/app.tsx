import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { queryClient } from '#api/query-client.ts';
import { ConfirmDialog } from '#session/confirm-dialog.tsx';
import { Entry } from '#session/entry.tsx';
import { OpenLink } from '#session/open-link.tsx';
import { SignedIn } from '#session/signed-in.tsx';
import { SignedInElsewhere } from '#session/single-sign-on.tsx';
import { PageFault } from './ui/page-fault.tsx';

/** The console: a mailed link's page, or the pages that the browser's session may open. */
export const App = () => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrowserRouter basename="/console">
        <PageFault Frame={Entry}>
          <Routes>
            <Route path="/link" element={<OpenLink />} />
            <Route path="/signed-in" element={<SignedInElsewhere />} />
            <Route path="*" element={<SignedIn />} />
          </Routes>
        </PageFault>
        <ConfirmDialog />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>
);
