// How the server is started: what the settings make of it, without the editor.

/** The executable and its arguments, from the words of the setting `coalint.command`. */
function serverCommand(words) {
  const [command = "coalint", ...rest] = words.filter((word) => word.trim() !== "");
  return { command, args: [...rest, "server"] };
}

/** Which documents the client hands to the server, from the setting `coalint.languages`. */
function documentSelector(languages) {
  return languages.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
}

/** What to tell the user when the server cannot be started. */
function complaint(command, error) {
  const missing = error && error.code === "ENOENT" ? "is not there" : "cannot be started";
  return `coalint: \`${command}\` ${missing}. Install it with: pip install 'coalint[lsp]', or name it in the setting coalint.command.`;
}

module.exports = { serverCommand, documentSelector, complaint };
