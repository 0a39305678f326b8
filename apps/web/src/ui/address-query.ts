import { useMemo } from 'react';
import { useLocation } from 'react-router';

/** Returns the query of the address, for reading. */
export function useAddressQuery(): URLSearchParams {
  const { search } = useLocation();
  return useMemo(() => new URLSearchParams(search), [search]);
}
