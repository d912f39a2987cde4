// The command of the settings starts a real server, which answers with findings and with what the client needs.
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { test } = require("node:test");
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");
const { complaint, documentSelector, serverCommand } = require("../src/server");
const manifest = require("../package.json");

const KERNEL = "__global__ void k(float *a) { a[32 * threadIdx.x] = 0; }\n";
const setting = (name) => manifest.contributes.configuration.properties[`coalint.${name}`].default;

test("the settings make a command line", () => {
  assert.deepEqual(serverCommand(setting("command")), { command: "coalint", args: ["server"] });
  assert.deepEqual(serverCommand(["python3", "-m", "coalint"]), { command: "python3", args: ["-m", "coalint", "server"] });
  assert.deepEqual(serverCommand([]), { command: "coalint", args: ["server"] });
});

test("documents of all languages of the setting are selected", () => {
  const selected = documentSelector(setting("languages"));
  assert.ok(selected.some(({ scheme, language }) => scheme === "file" && language === "cuda-cpp"));
  assert.equal(selected.length, 2 * setting("languages").length);
});

test("a command that is missing is named with a remedy", () => {
  assert.match(complaint("coalint", { code: "ENOENT" }), /`coalint` is not there.*pip install 'coalint\[lsp\]'/);
});

test("commands and settings that the code uses are in the manifest", () => {
  const source = require("node:fs").readFileSync(require.resolve("../src/extension.js"), "utf8");
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(registered.sort(), manifest.contributes.commands.map((command) => command.command).sort());
  for (const [, name] of source.matchAll(/settings\.get\("([^"]+)"\)/g)) assert.notEqual(setting(name), undefined);
  assert.ok(source.includes(manifest.homepage));
});

test("a real server publishes findings with a link, and offers hints and fixes", { timeout: 120000 }, async () => {
  const words = process.env.COALINT_COMMAND ? JSON.parse(process.env.COALINT_COMMAND) : setting("command");
  const { command, args } = serverCommand(words);
  const process_ = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(
    new StreamMessageReader(process_.stdout),
    new StreamMessageWriter(process_.stdin),
  );
  const published = new Promise((resolve) =>
    connection.onNotification("textDocument/publishDiagnostics", resolve),
  );
  connection.listen();
  const { capabilities } = await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  assert.ok(capabilities.inlayHintProvider && capabilities.hoverProvider);
  assert.deepEqual(capabilities.codeActionProvider.codeActionKinds, ["quickfix", "source.fixAll.coalint"]);
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: "file:///tmp/k.cu", languageId: "cuda-cpp", version: 1, text: KERNEL },
  });
  const { diagnostics } = await published;
  assert.equal(diagnostics.length, 1);
  assert.match(diagnostics[0].codeDescription.href, /rules\/COA101-/);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
});
