import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { isPassing, sentenceOf } from '#api/call-problem.ts';

interface FailureProps {
  /** The error of a call; nothing is shown without one. */
  of: unknown;
  /** Shown where the problem is with a field that the page does not have. */
  otherwise?: string;
  /** Repeats a failed read, where that may bring an answer. */
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
