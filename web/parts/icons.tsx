// All pictures of the page, drawn on one grid of 16. Shape says what; colour comes from around it.
import type { JSX } from "react";

const stroke = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/* Filled shapes say so themselves. */
const shapes = {
  inbox: <path d="M2 9.500 4 3h8l2 6.500V13H2zM2 9.500h3.500L6.500 11h3l1-1.500H14" />,
  board: <path d="M2.500 2.500h3v11h-3zM6.500 2.500h3v7h-3zM10.500 2.500h3v9h-3z" />,
  graph: (
    <path d="M5.200 7.200 10.800 4.500M5.200 8.800l5.600 2.700M5.300 8a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0M14.300 3.800a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0M14.300 12.200a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0" />
  ),
  chart: <path d="M2 13.500h12M4 11V8M8 11V4M12 11V6.500" />,
  book: <path d="M3 3h7l3 3v7H3zM5.500 8h5M5.500 10.500h5" />,
  memory: (
    <path d="M8 6c3 0 5-.900 5-2s-2-2-5-2-5 .900-5 2 2 2 5 2M3 4v8c0 1.100 2 2 5 2s5-.900 5-2V4M3 8c0 1.100 2 2 5 2s5-.900 5-2" />
  ),
  contract: <path d="M4 2h5l3 3v9H4zM9 2v3h3M6.200 9.600l1.300 1.300 2.300-2.600" />,
  search: (
    <path d="m10.200 10.200 3.300 3.300M11.200 7a4.200 4.200 0 1 1-8.400 0 4.200 4.200 0 0 1 8.400 0" />
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  gear: (
    <path d="M8 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400M8 1.800v1.700M8 12.500v1.700M1.800 8h1.700M12.500 8h1.700M3.600 3.600l1.200 1.200M11.200 11.200l1.200 1.200M12.400 3.600l-1.200 1.200M4.800 11.200l-1.200 1.200" />
  ),
  question: (
    <path d="M5.600 5.800a2.400 2.400 0 1 1 3.600 2.100C8.400 8.400 8 8.800 8 9.700M8 12.300v.1" />
  ),
  key: (
    <path d="M8.500 10.500a3 3 0 1 1-6 0 3 3 0 0 1 6 0M7.700 8.300 13 3M11 5l2 2M9.300 6.700l1.500 1.500" />
  ),
  eye: (
    <path d="M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8ZM9.900 8a1.900 1.900 0 1 1-3.800 0 1.900 1.900 0 0 1 3.800 0" />
  ),
  shield: <path d="M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4zM6 8l1.500 1.500L10.300 6.500" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  check: <path d="m3 8.500 3.200 3.200L13 4.800" />,
  clock: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.800V8l2.200 1.500" />,
  pause: (
    <path d="M4.500 3h2.300v10H4.500zM9.200 3h2.300v10H9.200z" fill="currentColor" stroke="none" />
  ),
  play: <path d="M5 3.200v9.600L12.500 8z" fill="currentColor" stroke="none" />,
  ring: <path d="M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11" />,
  dashed: (
    <path
      d="M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11"
      strokeDasharray="2.300 2.300"
    />
  ),
  half: (
    <>
      <path d="M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11" />
      <path d="M8 2.500a5.500 5.500 0 0 1 0 11z" fill="currentColor" stroke="none" />
    </>
  ),
  dots: (
    <path
      d="M4.200 8a1.200 1.200 0 1 1-2.400 0 1.200 1.200 0 0 1 2.400 0M9.200 8a1.200 1.200 0 1 1-2.400 0 1.200 1.200 0 0 1 2.400 0M14.200 8a1.200 1.200 0 1 1-2.400 0 1.200 1.200 0 0 1 2.400 0"
      fill="currentColor"
      stroke="none"
    />
  ),
  down: <path d="M8 3v10M4 9l4 4 4-4" />,
  left: <path d="M10 3 5 8l5 5" />,
  right: <path d="m6 3 5 5-5 5" />,
  comment: <path d="M2.500 3.500h11v7H7l-3 2.800v-2.800H2.500z" />,
  file: <path d="M4 2h5l3 3v9H4zM9 2v3h3" />,
  download: <path d="M8 2v8M4.800 7 8 10.200 11.200 7M2.500 13.500h11" />,
  rewind: <path d="M3 8a5 5 0 1 0 1.600-3.700M3 2.500V5h2.500" />,
  list: <path d="M2.500 4h11M2.500 8h11M2.500 12h11" />,
  warn: <path d="M8 2.500 14.200 13H1.800zM8 6.500v3M8 11.300v.1" />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof shapes;

/** Decoration: what it means is said beside it. */
export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }) {
  return (
    <svg viewBox="0 0 16 16" className={`shrink-0 ${className}`} aria-hidden="true" {...stroke}>
      {shapes[name]}
    </svg>
  );
}

export function Brand({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" className={className} aria-hidden="true" {...stroke} strokeWidth={1.8}>
      <path d="M10 2v9M10 11c0 3-2 5-6 6M10 11c0 3 2 5 6 6M10 11v7M10 5c2.500 0 4-1 4.500-2.500M10 8C7.500 8 6 7 5.500 5.500" />
    </svg>
  );
}
