// npm's oidc-provider on loopback with the device flow and rotating refresh tokens.
//   node oidc_provider.mjs FOLDER_WITH_NODE_MODULES ACCESS_TOKEN_SECONDS DEVICE_CODE_SECONDS
// prints its address; ends when its stdin does.
import { join, resolve } from "node:path";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [folder, accessSeconds, codeSeconds] = process.argv.slice(2);
console.warn = () => {};
console.info = () => {};
const entry = join(resolve(folder), "node_modules/oidc-provider/lib/index.js");
const { Provider } = await import(pathToFileURL(entry).href);

const server = createServer();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(address, {
  features: { deviceFlow: { enabled: true } },
  clients: [
    {
      client_id: "panto-test",
      token_endpoint_auth_method: "none",
      application_type: "native",
      redirect_uris: [],
      response_types: [],
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
      scope: "openid offline_access",
    },
  ],
  rotateRefreshToken: () => true,
  issueRefreshToken: async () => true,
  ttl: {
    AccessToken: Number(accessSeconds),
    DeviceCode: Number(codeSeconds),
    Grant: 600,
    IdToken: 600,
    Interaction: 600,
    RefreshToken: 600,
    Session: 600,
  },
});

server.on("request", provider.callback());
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
process.stdout.write(`${address}\n`);
