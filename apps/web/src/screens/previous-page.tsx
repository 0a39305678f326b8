import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { WaitingPage } from '#ui/waiting.tsx';

/** /previous-page goes back, or to round-up accounts without a history. */
export default function PreviousPage() {
  const navigate = useNavigate();
  useEffect(() => {
    const position: unknown = history.state?.idx; // kept there by the router, 0 for the first screen of the visit
    if (typeof position === 'number' && position > 0) void navigate(-1);
    else void navigate('/roundup-accounts', { replace: true });
  }, [navigate]);
  return <WaitingPage />;
}
