// Runs before the first paint: the theme that was chosen by hand, if one was, else the system's.
try {
  const theme = localStorage.getItem("seamline-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's theme it is.
}
