import { Notice } from '@sparechange/web/ui/notice.tsx';
import { sentenceOf } from '#api/call-problem.ts';

interface FailureProps {
  /** The error of a call; without one nothing is said. */
  of: unknown;
  /** Said where the problem stands at a field that the page does not show. */
  otherwise?: string;
}

/** Says why a call failed, unless its problem stands at a field of the form. */
export function Failure({ of, otherwise }: FailureProps) {
  const sentence = sentenceOf(of) ?? (of ? otherwise : undefined);
  return sentence && <Notice>{sentence}</Notice>;
}
