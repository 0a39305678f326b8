import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { problemOf } from '#api/call-problem.ts';

interface FormProps {
  onSubmit: (form: FormData) => void;
  onChange?: (form: FormData) => void;
  /** A value that changes with each refusal, after which the first field with a problem gets the focus. */
  refusal?: unknown;
  className?: string | undefined;
  /** Has the dialog around it closed by a button alone. */
  'data-keeps-open'?: true | undefined;
  children: ReactNode;
}

/** Asks before typed values are lost (unsaved.tsx); the sign-in page has none, as it has 150 kB and nothing to lose. */
export const AskBeforeLeaving = createContext<ComponentType | undefined>(undefined);

/**
 * A form read by its fields' names; the server reports problems with them. Once something is typed or chosen, Escape
 * and a press beside its dialog no longer close it, and the browser's Back asks first.
 */
export function Form({ onSubmit, onChange, refusal, 'data-keeps-open': keepsOpen, ...form }: FormProps) {
  const Unsaved = useContext(AskBeforeLeaving);
  const ref = useRef<HTMLFormElement>(null);
  const [isTyped, setTyped] = useState(false);
  const [isInDialog, setInDialog] = useState(false);
  useEffect(() => {
    if (refusal) showProblem(ref.current);
  }, [refusal]);
  return (
    <>
      <form
        ref={ref}
        noValidate
        {...form}
        data-keeps-open={keepsOpen || isTyped || undefined}
        onChange={(event) => {
          setTyped(true);
          setInDialog(event.currentTarget.closest('dialog') !== null);
          onChange?.(new FormData(event.currentTarget));
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const unread = unreadIn(event.currentTarget);
          if (unread) unread.reportValidity();
          else onSubmit(new FormData(event.currentTarget));
        }}
      />
      {isTyped && isInDialog && Unsaved && <Unsaved />}
    </>
  );
}

/** Finds a field with typed text that browsers read as empty, such as part of a day; browsers explain it. */
const unreadIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll('input')].find(({ value, validity }) => value === '' && validity.badInput);

/** Focuses the first field with a problem, or the first box of such choices, which scrolls it into view. */
const showProblem = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid="true"] input')?.focus();

/** Returns the server's problem with a field, by its name; `read` turns its text into the operation's input. */
export type ProblemOf = (field: string, read?: (typed: string) => unknown) => string | undefined;

/** Returns a form's properties and its call's problems, each until its field is corrected. */
export function useCallForm(error: unknown, send: (form: FormData) => void) {
  const [sent, setSent] = useState<FormData>();
  const [typed, setTyped] = useState<FormData>();
  const problem: ProblemOf = (field, read) => {
    const [before, now] = [textsIn(sent, field), textsIn(typed, field)];
    if (!typed || now.join('\n') === before.join('\n')) return problemOf(error, field);
    return problemOf(error, field, read ? now.map(read) : [...now, now]); // boxes of one name are a list
  };
  const form = {
    refusal: error,
    onChange: setTyped,
    onSubmit: (entries: FormData) => {
      setSent(entries);
      setTyped(undefined);
      send(entries);
    },
  };
  return { problem, form };
}

const textsIn = (form: FormData | undefined, field: string): string[] =>
  form?.getAll(field).map((entry) => (entry instanceof File ? entry.name : entry)) ?? [];
