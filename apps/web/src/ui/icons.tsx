import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** Drawn on a 24 px grid; nearby words carry meaning. */
const Icon = ({ size = 24, children }: IconProps & { children: ReactNode }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
);

export const MenuIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
);
export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m20 20-4.6-4.6M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z" />
  </Icon>
);
export const HomeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 11 12 4l8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5V11Z" />
  </Icon>
);
export const WalletIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M18 8V5.5A.5.5 0 0 0 17.5 5H6a2 2 0 0 0 0 4h13.5a.5.5 0 0 1 .5.5v9a.5.5 0 0 1-.5.5H6a2 2 0 0 1-2-2V7m12 7h.01" />
  </Icon>
);
export const ShieldIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3 5 5.5v5.6c0 4.4 2.9 8.2 7 9.9 4.1-1.7 7-5.5 7-9.9V5.5L12 3Zm-3 9 2.2 2.2L15.2 10" />
  </Icon>
);
export const SupportIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 13v-1a8 8 0 1 1 16 0v1m-16 0h3v5H5.5A1.5 1.5 0 0 1 4 16.5V13Zm16 0h-3v5h1m2-5v3a4 4 0 0 1-4 4h-3" />
  </Icon>
);
export const LogoutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M14 4H5.5a.5.5 0 0 0-.5.5v15a.5.5 0 0 0 .5.5H14m2-12 4 4-4 4m4-4H10" />
  </Icon>
);
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);
export const ChevronIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m9 5 7 7-7 7" />
  </Icon>
);
