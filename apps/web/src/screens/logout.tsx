import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { queryClient } from '#api/query-client.ts';
import { signOut } from '#api/session.ts';
import { clearStored, store } from '#api/stored.ts';
import { getStart } from '#tenant/current.ts';
import { Centred } from '#ui/centred.tsx';

/** Logout — /logout: the session ends, the browser forgets, and back to the start (spec section 2). */
export default function Logout() {
  const navigate = useNavigate();
  useEffect(() => {
    signOut()
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        clearStored();
        store('host', getStart().tenantKey);
        queryClient.clear();
        void navigate('/', { replace: true });
      });
  }, [navigate]);
  return (
    <Centred>
      <div role="status">
        <h1>Logging out...</h1>
      </div>
    </Centred>
  );
}
