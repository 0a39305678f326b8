import type { ReactNode } from 'react';

interface FormProps {
  onSubmit: (form: FormData) => void;
  className?: string | undefined;
  children: ReactNode;
}

/** A form that is read by the names of its fields; the server says what is wrong with them. */
export const Form = ({ onSubmit, ...form }: FormProps) => (
  <form
    noValidate
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  />
);
