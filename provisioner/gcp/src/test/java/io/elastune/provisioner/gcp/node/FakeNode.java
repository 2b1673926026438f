package io.elastune.provisioner.gcp.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A fake node for its scripts: a root folder, a metadata service, a Compute Engine endpoint for
 * deletion, and commands that only record their calls.
 */
final class FakeNode implements AutoCloseable {
  private final Path root;
  private final HttpServer metadata;
  private final Map<String, String> told = new ConcurrentHashMap<>();
  private final List<String> deleted = new CopyOnWriteArrayList<>();
  private volatile String expires = "";
  private volatile boolean account;

  FakeNode(Path folder) throws IOException {
    root = folder;
    Files.createDirectories(state());
    command("shutdown", "exit 0");
    command("poweroff", "exit 0");
    command("systemctl", "exit 0");
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/", this::answer);
    metadata.start();
  }

  void expires(long seconds) {
    expires = Long.toString(seconds);
  }

  /** Sets the item's value, which need not be a number; empty for none. */
  void expiryItem(String value) {
    expires = value;
  }

  /** Returns the guest attributes that the node has set, by name. */
  Map<String, String> guestAttributes() {
    return told;
  }

  /** Returns the paths of all deletion requests, with their authorization headers. */
  List<String> deleted() {
    return deleted;
  }

  /** Gives the node a service account. */
  void addServiceAccount() {
    account = true;
  }

  Path state() {
    return root.resolve("var/lib/elastune");
  }

  /** Stores the expiry that was read last, in memory. */
  void writeMemory(long expires) throws IOException {
    Path memory = Files.createDirectories(root.resolve("run/elastune"));
    Files.writeString(memory.resolve("expires"), expires + "\n");
  }

  /** Makes a file of the state unwritable, also for root. */
  void fillDisk(String file) throws IOException {
    Files.createDirectories(state().resolve(file).resolve("full"));
  }

  void writeState(String file, long seconds) throws IOException {
    Files.writeString(state().resolve(file), seconds + "\n");
  }

  /** Creates a command that records its call and then runs {@code then}. */
  void command(String name, String then) throws IOException {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path file = bin.resolve(name);
    Files.writeString(
        file, "#!/bin/sh\necho " + name + " $* >>" + root.resolve("called") + "\n" + then + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns the recorded calls of commands. */
  List<String> recordedCalls() throws IOException {
    Path calls = root.resolve("called");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** Runs a script as the node would and returns its exit code. */
  int run(String script) throws IOException, InterruptedException {
    Path file = root.resolve("script.sh");
    Files.writeString(file, script);
    ProcessBuilder builder =
        new ProcessBuilder("sh", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("output").toFile());
    builder.environment().put("ELASTUNE_ROOT", root.toString());
    builder
        .environment()
        .put("ELASTUNE_METADATA", "http://127.0.0.1:" + metadata.getAddress().getPort());
    builder
        .environment()
        .put("ELASTUNE_COMPUTE", "http://127.0.0.1:" + metadata.getAddress().getPort());
    builder.environment().merge("PATH", "", (path, none) -> root.resolve("bin") + ":" + path);
    return builder.start().waitFor();
  }

  @Override
  public void close() {
    metadata.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (exchange.getRequestMethod().equals("DELETE")) {
      deleted.add(path + " " + exchange.getRequestHeaders().getFirst("Authorization"));
      reply(exchange, 200, "{}");
    } else if (!"Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"))) {
      reply(exchange, 403, "");
    } else if (exchange.getRequestMethod().equals("PUT")) {
      told.put(path.substring(path.lastIndexOf('/') + 1), body);
      reply(exchange, 200, "");
    } else {
      String text = expiryItem(exchange, path.replace("/computeMetadata/v1/", ""));
      reply(exchange, text.isEmpty() ? 404 : 200, text);
    }
  }

  private String expiryItem(HttpExchange exchange, String path) {
    return switch (path) {
      case "instance/attributes/elastune-expires" -> expires;
      case "instance/service-accounts/default/token" ->
          account ? "{\"access_token\":\"the-token\",\"expires_in\":3599}" : "";
      case "instance/zone" -> "projects/123/zones/us-central1-a";
      case "instance/name" -> "elastune-node-1";
      case "project/project-id" -> "my-project";
      default -> throw new AssertionError(exchange.getRequestURI());
    };
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
