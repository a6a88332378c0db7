// Light or dark: what the system says, unless the reader chose.

function chooseTheme(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  try {
    localStorage.setItem("probity-theme", theme);
  } catch {
    // The choice lasts as long as the page.
  }
}

function storedTheme() {
  try {
    return ["light", "dark"].find((theme) => theme === localStorage.getItem("probity-theme")) ?? "auto";
  } catch {
    return "auto";
  }
}

function startTheme() {
  const theme = storedTheme();
  chooseTheme(theme);
  segmented("theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], theme, chooseTheme);
}
