package io.elastune.provisioner.aws.node;

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

/**
 * A simulated node for its scripts: a root folder, a metadata service (IMDSv2), and commands that
 * only record their calls.
 */
final class FakeNode implements AutoCloseable {
  private final Path root;
  private final HttpServer metadata;
  private volatile String expires = "";

  FakeNode(Path folder) throws IOException {
    root = folder;
    Files.createDirectories(state());
    command("shutdown", "exit 0");
    command("poweroff", "exit 0");
    command("systemctl", "exit 0");
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/latest/api/token", this::token);
    metadata.createContext("/latest/meta-data/tags/instance/elastune-expires", this::tag);
    metadata.start();
  }

  void expires(long seconds) {
    expires = Long.toString(seconds);
  }

  /** Sets the value of the tag, possibly not a number; empty for no tag. */
  void tag(String value) {
    expires = value;
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

  /** Adds a command that records its call and then runs {@code then}. */
  void command(String name, String then) throws IOException {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path file = bin.resolve(name);
    Files.writeString(
        file, "#!/bin/sh\necho " + name + " $* >>" + root.resolve("called") + "\n" + then + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns the commands called so far. */
  List<String> recordedCalls() throws IOException {
    Path calls = root.resolve("called");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  String console() throws IOException {
    Path console = root.resolve("console");
    return Files.exists(console) ? Files.readString(console) : "";
  }

  /** Runs a script and waits for its end. */
  int run(String script) throws IOException, InterruptedException {
    Path file = root.resolve("script.sh");
    Files.writeString(file, script);
    ProcessBuilder builder =
        new ProcessBuilder("sh", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("output").toFile());
    builder.environment().put("ELASTUNE_ROOT", root.toString());
    builder.environment().put("ELASTUNE_CONSOLE", root.resolve("console").toString());
    builder
        .environment()
        .put("ELASTUNE_IMDS", "http://127.0.0.1:" + metadata.getAddress().getPort());
    builder.environment().merge("PATH", "", (path, none) -> root.resolve("bin") + ":" + path);
    return builder.start().waitFor();
  }

  @Override
  public void close() {
    metadata.stop(0);
  }

  private void token(HttpExchange exchange) throws IOException {
    boolean right =
        exchange.getRequestMethod().equals("PUT")
            && exchange.getRequestHeaders().containsKey("X-aws-ec2-metadata-token-ttl-seconds");
    reply(exchange, right ? 200 : 400, right ? "the-token" : "");
  }

  private void tag(HttpExchange exchange) throws IOException {
    String token = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    if (!"the-token".equals(token)) {
      reply(exchange, 401, "");
    } else {
      reply(exchange, expires.isEmpty() ? 404 : 200, expires);
    }
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
