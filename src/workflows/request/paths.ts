// Paths of a project as texts: relative, with slashes, whatever the system.

export function segmentsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

export function folderOf(path: string): string {
  return segmentsOf(path).slice(0, -1).join("/");
}

/** The name without its last ending. */
export function stemOf(path: string): string {
  return (segmentsOf(path).at(-1) ?? "").replace(/(?<=.)\.[^.]*$/, "");
}

export function joined(folder: string, path: string): string {
  const parts = segmentsOf(folder);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** `./a//b` and `a/b` are one file. */
export function tidy(path: string): string {
  return joined("", path);
}
