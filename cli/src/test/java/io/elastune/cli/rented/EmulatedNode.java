package io.elastune.cli.rented;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An instance that is a set of processes of this machine, with a loopback address of its own. It
 * executes its real user data, with a metadata service of EC2 and Compute Engine, a small systemd,
 * and commands that must not affect this machine. Its Ray node and its trials are real.
 */
final class EmulatedNode implements AutoCloseable {
  /** Starts services, and restarts those that request it. */
  private static final String SYSTEMCTL =
      """
      units=$ELASTUNE_ROOT/etc/systemd/system
      verb=$1
      [ "$verb" != is-system-running ] || echo running
      case $verb in start | restart) ;; *) exit 0 ;; esac
      for unit; do
        case $unit in *.service) ;; *) continue ;; esac
        command=$(sed -n 's/^ExecStart=//p' "$units/$unit")
        restart=$(sed -n 's/^Restart=//p' "$units/$unit")
        setsid sh -c 'while :; do $1; [ "$2" = always ] || break; sleep 1; done' sh \\
          "$command" "$restart" </dev/null >>"$ELASTUNE_ROOT/$unit.log" 2>&1 &
      done
      """;

  private static final String MARK = "ELASTUNE_EMULATED";
  private static final Pattern TEMPORARY = Pattern.compile("/tmp/er-[A-Za-z0-9]{8}");
  private static final String BOOT_HOOK = "#cloud-boothook\n";

  private final String lease;
  private final Path root;
  private final String address;
  private final HttpServer metadata;
  private final NodeCloud cloud;
  private final Set<Path> temporary = ConcurrentHashMap.newKeySet();
  private volatile String attribute = "";

  /**
   * Starts an instance.
   *
   * @param programs programs of its image by name, as lines of sh
   */
  EmulatedNode(
      NodeCloud cloud, String lease, Path root, String address, Map<String, String> programs)
      throws IOException {
    this.cloud = cloud;
    this.lease = lease;
    this.root = Files.createDirectories(root);
    this.address = address;
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path home = Files.createDirectories(root.resolve("home"));
    for (String command : List.of("shutdown", "poweroff", "useradd", "chown")) {
      program(bin.resolve(command), "exit 0");
    }
    for (Map.Entry<String, String> program : programs.entrySet()) {
      program(bin.resolve(program.getKey()), program.getValue());
    }
    program(bin.resolve("systemctl"), SYSTEMCTL);
    program(bin.resolve("runuser"), "shift 3; exec \"$@\"");
    program(bin.resolve("sudo"), "shift; exec \"$@\"");
    program(bin.resolve("getent"), "echo elastune:x:1000:1000::" + home + ":/bin/bash");
    Files.writeString(home.resolve(".bash_profile"), "PATH=" + bin + ":$PATH\n"); // a login shell
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext("/", this::answer);
    metadata.start();
    boot(bin);
  }

  private void boot(Path bin) throws IOException {
    String script = cloud.script(lease);
    Path file =
        Files.writeString(
            root.resolve("boot.sh"),
            script.startsWith(BOOT_HOOK) ? script.substring(BOOT_HOOK.length()) : script);
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", file.toString());
    builder.redirectErrorStream(true).redirectOutput(root.resolve("boot.log").toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("ELASTUNE_"));
    String url = "http://127.0.0.1:" + metadata.getAddress().getPort();
    environment.put("ELASTUNE_ROOT", root.toString());
    environment.put("ELASTUNE_IMDS", url);
    environment.put("ELASTUNE_CONSOLE", console().toString());
    environment.put("ELASTUNE_METADATA", url);
    environment.put("RAY_worker_niceness", "0"); // else agents wait for all other tests
    environment.put("OMP_NUM_THREADS", "1");
    environment.put(MARK, lease);
    environment.merge("PATH", "", (path, none) -> bin + ":" + path);
    environment.remove("HOME");
    builder.start().getOutputStream().close();
  }

  private Path console() {
    return root.resolve("console");
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Returns whether this node executes a script. */
  boolean executes(String script) {
    return cloud.script(lease).equals(script);
  }

  /** Returns its console output. */
  String consoleText() {
    try {
      return Files.exists(console()) ? Files.readString(console()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its guest attribute. */
  String guestAttribute() {
    return attribute;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (path.endsWith("/guest-attributes/elastune/state")) {
      attribute = new String(body, StandardCharsets.UTF_8);
    }
    String item = path.replaceFirst("^/(latest/meta-data|computeMetadata/v1)/", "");
    Optional<String> found =
        switch (item) {
          case "/latest/api/token" -> Optional.of("token");
          case "instance-id", "instance/id" -> Optional.of("i-" + lease);
          case "local-ipv4", "instance/network-interfaces/0/ip" -> Optional.of(address);
          case "tags/instance/elastune-expires", "instance/attributes/elastune-expires" ->
              Optional.of(cloud.expiry(lease));
          case "instance/guest-attributes/elastune/state" -> Optional.of("");
          default -> Optional.empty(); // no interruption notice, no service account
        };
    byte[] text = found.orElse("").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(
        found.isPresent() ? 200 : 404, text.length == 0 ? -1 : text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  /** Ends all processes at once, as the end of an instance does. */
  @Override
  public void close() {
    metadata.stop(0);
    processes().forEach(this::findTemporary);
    for (List<Long> left = processes(); !left.isEmpty(); left = processes()) {
      left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
    temporary.forEach(EmulatedNode::delete);
    temporary.clear();
  }

  /** The disk of an instance ends with it. Ray's sockets are in a folder with a short path. */
  private void findTemporary(long pid) {
    Matcher matcher = TEMPORARY.matcher(commandLine(pid));
    if (matcher.find()) {
      temporary.add(Path.of(matcher.group()));
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the processes of this node: those of the user data, of Ray, shims and workers. */
  List<Long> processes() {
    return ProcessTable.read().stream().map(ProcessTable.Entry::pid).filter(this::isOwn).toList();
  }

  private boolean isOwn(long pid) {
    return ProcessTable.variable(pid, MARK).filter(lease::equals).isPresent()
        || ProcessTable.variable(pid, "ELASTUNE_LEASE").filter(lease::equals).isPresent()
        || commandLine(pid).contains("/agents/" + lease + "/");
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it has ended
    }
  }
}
