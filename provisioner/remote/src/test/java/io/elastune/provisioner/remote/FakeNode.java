package io.elastune.provisioner.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.NodeSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A simulated node for its scripts: a root folder, a metadata service, a user {@code elastune}, and
 * commands that record their calls. Pauses of scripts end at once, and the last one ends the
 * script.
 */
public abstract class FakeNode implements AutoCloseable {
  /** The address in the metadata. */
  protected static final String ADDRESS = "10.0.0.7";

  private static final Pattern START = Pattern.compile("ExecStart=/bin/sh (.*) ([a-z]+)");

  private final Path root;
  private final HttpServer metadata;

  /** The expiry in the metadata; empty if it cannot be read. */
  protected volatile String expiry = "";

  /** The instance id in the metadata; empty if it cannot be read. */
  protected volatile String instance = "i-1";

  /** Whether the cloud has announced to interrupt the instance. */
  protected volatile boolean interrupted;

  /** Creates a node in an empty folder. */
  protected FakeNode(Path root) throws IOException {
    this.root = root;
    for (String name : List.of("shutdown", "poweroff", "systemctl", "useradd", "chown")) {
      command(name, "exit 0");
    }
    command("runuser", "shift 3; exec \"$@\"");
    command("getent", "echo elastune:x:1000:1000::" + root.resolve("home") + ":/bin/bash");
    command(
        "sleep",
        "read left <%1$s; echo $((left - 1)) >%1$s; [ $left -gt 1 ] || kill $PPID"
            .formatted(root.resolve("pauses")));
    pauses(1);
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/", this::answer);
    metadata.start();
  }

  /** Answers a request to the metadata service. */
  protected abstract void answer(HttpExchange exchange) throws IOException;

  /** Returns the variables that direct the scripts to the metadata service at {@code url}. */
  protected abstract Map<String, String> environment(String url);

  /** Returns the script of an instance. */
  protected abstract String script(Optional<NodeSetup> setup, long expires, Duration longest);

  /** Boots the instance with its script. */
  protected abstract int boot(String script) throws IOException, InterruptedException;

  /** Returns the report of the node. */
  protected abstract Optional<NodeReport> report();

  /** Returns all texts that the node has reported. */
  protected abstract List<String> reports();

  /** Sets the expiry in the metadata, possibly not a number; empty if it cannot be read. */
  public void expiry(Object value) {
    expiry = value.toString();
  }

  /** Lets the next script pause until the given time. */
  public final void pauses(int count) throws IOException {
    Files.writeString(root.resolve("pauses"), count + "\n");
  }

  /** Returns the root folder. */
  public final Path root() {
    return root;
  }

  final Path state() {
    return root.resolve("var/lib/elastune");
  }

  final Path memory() {
    return root.resolve("run/elastune");
  }

  /** Makes a file of the state unwritable, also for root. */
  void fillDisk(String file) throws IOException {
    Files.createDirectories(state().resolve(file).resolve("full"));
  }

  void writeState(String file, Object value) throws IOException {
    Files.writeString(state().resolve(file), value + "\n");
  }

  /** Adds a command that records its call and then runs {@code then}. */
  final void command(String name, String then) throws IOException {
    Path file = Files.createDirectories(root.resolve("bin")).resolve(name);
    Files.writeString(
        file, "#!/bin/sh\necho " + name + " $* >>" + root.resolve("called") + "\n" + then + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns and forgets the recorded calls of a command. */
  public List<String> calls(String... names) throws IOException {
    Path calls = root.resolve("called");
    List<String> all = Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    Files.deleteIfExists(calls);
    return all.stream().filter(call -> List.of(names).contains(call.split(" ", 2)[0])).toList();
  }

  /** Loses the files in memory, as a reboot does. */
  void clearMemory() throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("run"))) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  /** Returns the unit of a service. */
  String unit(String service) throws IOException {
    return Files.readString(
        root.resolve("etc/systemd/system/elastune-%s.service".formatted(service)));
  }

  /** Runs a service as systemd would, until its end or its last pause. */
  public int service(String name) throws IOException, InterruptedException {
    Matcher start = START.matcher(unit(name));
    if (!start.find()) {
      throw new AssertionError(unit(name));
    }
    return run(Path.of(start.group(1)), start.group(2));
  }

  /** Runs a script and returns its exit code. */
  protected final int run(Path script, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of("sh", script.toString()), Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("output").toFile()));
    Map<String, String> environment = builder.environment();
    environment.put("ELASTUNE_ROOT", root.toString());
    environment.putAll(environment("http://127.0.0.1:" + metadata.getAddress().getPort()));
    environment.merge("PATH", "", (path, none) -> root.resolve("bin") + ":" + path);
    environment.remove("HOME"); // as during boot
    return builder.start().waitFor();
  }

  /** Sends a response; an empty text is an absent item. */
  protected static void reply(HttpExchange exchange, String text) throws IOException {
    reply(exchange, text.isEmpty() ? 404 : 200, text);
  }

  /** Sends a response. */
  protected static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    metadata.stop(0);
  }
}
