import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { problemOf } from '#api/call-problem.ts';

interface RefusedFilterProps {
  /** The error of the list. */
  of: unknown;
  filter: Record<string, string>;
  /** Says what else is wrong. */
  children: ReactNode;
}

/** Names the filters of a list that the server refuses, and offers to clear them. */
export function RefusedFilter({ of, filter, children }: RefusedFilterProps) {
  const names = Object.keys(filter);
  const refused = names.filter((name) => problemOf(of, name));
  return refused.length > 0 ? <Refused refused={refused} names={names} otherwise={children} /> : children;
}

/** "endpoint id" of `endpointId`. */
const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function Refused({ refused, names, otherwise }: { refused: string[]; names: string[]; otherwise: ReactNode }) {
  const [params, setParams] = useSearchParams();
  if (!refused.some((name) => params.has(name))) return otherwise;
  const clear = () => {
    const next = new URLSearchParams(params);
    for (const name of names) next.delete(name);
    setParams(next, { replace: true });
  };
  return (
    <>
      <Notice>
        {refused.length === 1 ? 'This filter is' : 'These filters are'} not valid: {refused.map(inWords).join(', ')}.
      </Notice>
      <p>
        <Button look="secondary" onClick={clear}>
          Clear filters
        </Button>
      </p>
    </>
  );
}
