"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button.tsx";

type Theme = "system" | "light" | "dark";

const KEY = "seamline-theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "dark", dark: "light", light: "system" };

/** Goes through the system's theme, dark and light. `public/theme.js` applies the choice before the first paint. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>("system");
  useEffect(() => setTheme(chosenTheme()), []);

  const choose = (next: Theme): void => {
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    remember(next);
  };
  return (
    <Button
      tone="quiet"
      onClick={() => choose(NEXT[theme])}
      aria-label={`Theme: ${theme}. Change to ${NEXT[theme]}`}
      title={`Theme: ${theme}`}
    >
      <ThemeIcon theme={theme} />
    </Button>
  );
}

function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Storage may be denied; the choice then holds for this page only. */
function remember(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}

/** A disc: half filled for the system's theme, filled for dark, open for light. */
function ThemeIcon({ theme }: { theme: Theme }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      {theme === "system" && <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />}
      {theme === "dark" && <circle cx="7" cy="7" r="5.5" fill="currentColor" />}
    </svg>
  );
}
