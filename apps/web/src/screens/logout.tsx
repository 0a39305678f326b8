import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { logOut } from '#features/identity/forget-session.ts';
import { Centred } from '#ui/waiting.tsx';

/** Logout — /logout: ends and forgets the session, then starts over. */
export default function Logout() {
  const navigate = useNavigate();
  useEffect(() => {
    void logOut()
      .catch((error: unknown) => console.error(error))
      .then(() => navigate('/', { replace: true }));
  }, [navigate]);
  return (
    <Centred>
      <div role="status">
        <h1>Logging out...</h1>
      </div>
    </Centred>
  );
}
