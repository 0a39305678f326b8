import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { problemOf } from '#api/call-problem.ts';

interface FormProps {
  onSubmit: (form: FormData) => void;
  onChange?: (form: FormData) => void;
  /** Another value with each refusal, after which the first field with a problem has the focus. */
  refusal?: unknown;
  className?: string | undefined;
  /** Has the dialog around it closed by a button alone. */
  'data-keeps-open'?: true | undefined;
  children: ReactNode;
}

/** Asks before what was typed is lost (unsaved.tsx); the sign-in page has none, as it has 150 kB and nothing to lose. */
export const AskBeforeLeaving = createContext<ComponentType | undefined>(undefined);

/**
 * A form that is read by the names of its fields; the server says what is wrong with them. Once something is typed or chosen,
 * Escape and a press beside the dialog around it no longer close it, and the browser's Back asks before it does.
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

/** Finds a field with something typed that browsers read as nothing, such as a part of a day; they say so themselves. */
const unreadIn = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll('input')].find(({ value, validity }) => value === '' && validity.badInput);

/** Gives the focus to the first field with a problem, or to the first box of such choices, which brings it into sight. */
const showProblem = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid="true"] input')?.focus();

/** Returns the server's problem with a field, by its name; `read` makes of its text what the operation takes. */
export type ProblemOf = (field: string, read?: (typed: string) => unknown) => string | undefined;

/** Returns what a form passes on, and the problems of the call that it made, each until its field is put right. */
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
