/** Coins rounding up to circles, in the colours around them. */
export const Rings = ({ className }: { className?: string | undefined }) => (
  <svg className={className} viewBox="0 0 400 400" fill="none" stroke="var(--tenant-ring, #ffffff)" aria-hidden="true">
    <g strokeWidth="26" strokeLinecap="round">
      <circle cx="230" cy="230" r="150" opacity="0.22" />
      <path d="M230 80a150 150 0 1 1-143 105" opacity="0.42" />
      <circle cx="230" cy="230" r="98" opacity="0.22" />
      <path d="M230 132a98 98 0 1 1-98 98" opacity="0.6" />
      <circle cx="230" cy="230" r="46" opacity="0.8" />
    </g>
  </svg>
);
