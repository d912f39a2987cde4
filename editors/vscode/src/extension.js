// Starts `coalint server` for CUDA files, and restarts it when its settings change.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { complaint, documentSelector, serverCommand } = require("./server");

const PAGE = "https://coalint.github.io/coalint/editors/";

let client;
let output;

async function start() {
  const settings = vscode.workspace.getConfiguration("coalint");
  const { command, args } = serverCommand(settings.get("command"));
  client = new LanguageClient(
    "coalint",
    "coalint",
    { command, args, transport: TransportKind.stdio },
    { documentSelector: documentSelector(settings.get("languages")), outputChannel: output },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(complaint(command, error), "How to install it", "Output");
    if (choice === "Output") output.show();
    else if (choice) await vscode.env.openExternal(vscode.Uri.parse(PAGE));
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.dispose();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  output = vscode.window.createOutputChannel("coalint");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("coalint.restart", restart),
    vscode.commands.registerCommand("coalint.output", () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (["command", "languages"].some((name) => event.affectsConfiguration(`coalint.${name}`))) return restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
