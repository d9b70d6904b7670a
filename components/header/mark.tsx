/** The product's mark: four lanes of which the upper ones have lost a part. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <g fill="currentColor">
        <rect x="2" y="2.5" width="9" height="2.6" rx="1.2" />
        <rect x="2" y="6.7" width="11" height="2.6" rx="1.2" />
        <rect x="2" y="10.9" width="12" height="2.6" rx="1.2" />
        <rect x="2" y="15.1" width="16" height="2.6" rx="1.2" />
      </g>
      <rect x="15" y="2.5" width="3" height="11" rx="1.2" fill="var(--color-l2)" />
    </svg>
  );
}
