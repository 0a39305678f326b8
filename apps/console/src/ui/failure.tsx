import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { isPassing, sentenceOf } from '#api/call-problem.ts';

interface FailureProps {
  /** The error of a call; without one nothing is said. */
  of: unknown;
  /** Said where the problem stands at a field that the page does not show. */
  otherwise?: string;
  /** Reads once more what could not be read; offered where that may bring an answer. */
  again?: () => unknown;
}

/** Says why a call failed, unless its problem stands at a field of the form. */
export function Failure({ of, otherwise, again }: FailureProps) {
  const sentence = sentenceOf(of) ?? (of ? otherwise : undefined);
  return (
    sentence && (
      <>
        <Notice>{sentence}</Notice>
        {again && isPassing(of) && (
          <p>
            <Button look="secondary" onClick={() => void again()}>
              Try again
            </Button>
          </p>
        )}
      </>
    )
  );
}
