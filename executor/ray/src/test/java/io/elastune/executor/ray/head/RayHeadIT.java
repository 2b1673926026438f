package io.elastune.executor.ray.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the life of a head. A program that listens at the head's address replaces Ray. */
@EnabledOnOs(OS.LINUX)
class RayHeadIT {
  /** Ray also starts processes that outlive its main process. */
  private static final String RAY =
      """
      #!/bin/sh
      echo "$*" >>%1$s/arguments
      env >%1$s/environment
      for option; do
        case $option in
          --port=*) port=${option#*=} ;;
          --node-ip-address=*) host=${option#*=} ;;
        esac
      done
      sleep 600 &
      exec python3 -c '
      import socket, sys, time
      server = socket.socket()
      server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      server.bind((sys.argv[1], int(sys.argv[2])))
      server.listen()
      while True: server.accept()[0].close()' "$host" "$port"
      """;

  @TempDir private Path folder;
  private HeadSettings settings;
  private RayHead head;

  @BeforeEach
  void open() throws IOException {
    settings = settings(program(RAY.formatted(folder)), Duration.ofMinutes(20));
    head = RayHead.open(settings, InstantSource.system());
  }

  @AfterEach
  void close() {
    head.close();
    assertThat(processes().members()).isEmpty();
  }

  @Test
  void tokenIsOnlyInItsFile() throws IOException {
    String token = Files.readString(settings.token());
    assertThat(token).matches("[0-9a-f]{64}");
    assertThat(Files.getPosixFilePermissions(settings.token()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    for (String file : List.of("arguments", "environment", "ray/head.json", "ray/head.log")) {
      assertThat(folder.resolve(file)).content().doesNotContain(token);
    }
    assertThat(folder.resolve("environment"))
        .content()
        .contains("RAY_AUTH_MODE=token", "RAY_AUTH_TOKEN_PATH=" + settings.token());
  }

  @Test
  void restartsAtSameAddress() throws IOException {
    String address = head.address();
    long before = guard();
    // Not the guard: Ray's main process ends, and another process of it continues.
    ProcessHandle.of(before)
        .orElseThrow()
        .descendants()
        .filter(process -> commandOf(process).contains("python"))
        .forEach(ProcessHandle::destroyForcibly);
    TestWait.until(() -> guardOrZero() != before && isListening(), "restart");
    assertThat(head.address()).isEqualTo(address);
    assertThat(Files.readAllLines(folder.resolve("arguments")))
        .hasSize(2)
        .allMatch(line -> line.contains("--port=" + address.replaceFirst(".*:", "")))
        .doesNotHaveDuplicates(); // a new head needs a new folder
  }

  @Test
  void laterControllerAdoptsHead() throws IOException {
    long before = guard();
    head.leave();
    RayHead adopted = RayHead.open(settings, InstantSource.system());
    assertThat(guard()).isEqualTo(before);
    assertThat(adopted.address()).isEqualTo(head.address());
    assertThat(Files.readAllLines(folder.resolve("arguments"))).hasSize(1);
    head = adopted;
  }

  @Test
  void laterControllerRestartsLostHead() throws IOException {
    String token = head.readToken();
    head.leave();
    processes().signal(OwnedProcesses.Signal.KILL);
    RayHead later = RayHead.open(settings, InstantSource.system());
    assertThat(later.address()).isEqualTo(head.address());
    assertThat(later.readToken()).isEqualTo(token);
    head = later;
  }

  /** The guard still exists when the later controller looks for it, and ends while it waits. */
  @Test
  void laterControllerReplacesEndingHead() throws Exception {
    ProcessHandle before = ProcessHandle.of(guard()).orElseThrow();
    String address = head.address();
    head.leave();
    new ProcessBuilder("kill", "-STOP", Long.toString(before.pid())).start().waitFor();
    before.descendants().forEach(ProcessHandle::destroyForcibly);
    TestWait.until(() -> !isListening(), "end of Ray"); // it needs processor time to end
    CompletableFuture<Boolean> ending =
        CompletableFuture.supplyAsync(
            before::destroyForcibly, CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
    head = RayHead.open(settings, InstantSource.system());
    assertThat(ending.join()).isTrue();
    assertThat(head.address()).isEqualTo(address);
    assertThat(guard()).isNotEqualTo(before.pid());
    assertThat(isListening()).isTrue();
  }

  /** A controller was killed while it started a head: its process ID is unknown. */
  @Test
  void headOfUnknownProcessIsReplaced() throws IOException {
    long before = guard();
    head.leave();
    HeadState state = HeadState.read(settings.state()).orElseThrow();
    state.starting(Path.of(state.temporary())).write(settings.state());
    head = RayHead.open(settings, InstantSource.system());
    assertThat(ProcessHandle.of(before).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(isListening()).isTrue();
  }

  @Test
  void headWithoutControllerEnds() throws Exception {
    head.leave();
    Instant past = Instant.now().minus(Duration.ofHours(1));
    Files.setLastModifiedTime(settings.alive(), FileTime.from(past));
    TestWait.until(() -> processes().members().isEmpty(), "end");
  }

  @Test
  void endLeavesNothing() throws IOException {
    String temporary = HeadState.read(settings.state()).orElseThrow().temporary();
    assertThat(Path.of(temporary)).exists();
    head.close();
    head.forget();
    assertThat(Path.of(temporary)).doesNotExist();
    try (Stream<Path> files = Files.list(settings.folder())) {
      assertThat(files).containsExactly(settings.log());
    }
  }

  @Test
  void headThatCannotStartIsExplained() throws IOException {
    HeadSettings broken =
        new HeadSettings(
            folder.resolve("other"),
            new RayPython(program("#!/bin/sh\necho no space; exit 1\n").toString(), "3.11", "2"),
            "127.0.0.1",
            0,
            Duration.ofMinutes(20));
    assertThatThrownBy(() -> RayHead.open(broken, InstantSource.system()))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("no space")
        .hasMessageContaining("No instance was requested");
  }

  @Test
  void pythonWithoutRayIsExplained() throws IOException {
    String none = program("#!/bin/sh\necho 'No module named ray'; exit 1\n").toString();
    assertThatThrownBy(() -> RayPython.find(none, "rented_nodes.head_python"))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("No module named ray")
        .hasMessageContaining("elastune runtime build")
        .hasMessageContaining("rented_nodes.head_python");
    String old = program("#!/bin/sh\necho elastune 3.11 2.40.0\n").toString();
    assertThatThrownBy(() -> RayPython.find(old, "x")).hasMessageContaining("it has Ray 2.40.0");
    String good = program("#!/bin/sh\necho warning; echo elastune 3.12 2.58.0\n").toString();
    assertThat(RayPython.find(good, "x")).isEqualTo(new RayPython(good, "3.12", "2.58.0"));
    assertThatThrownBy(() -> RayPython.find("/does/not/exist", "x"))
        .hasMessageContaining("/does/not/exist");
  }

  private Path program(String text) throws IOException {
    Path file = Files.createTempFile(folder, "program", "");
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private HeadSettings settings(Path python, Duration timeToLive) {
    RayPython fake = new RayPython(python.toString(), "3.11", RayPython.TESTED);
    return new HeadSettings(folder.resolve("ray"), fake, "127.0.0.1", 0, timeToLive);
  }

  private OwnedProcesses processes() {
    return new OwnedProcesses(HeadProcess.MARK, settings.folder().toString(), Set.of());
  }

  private long guard() throws IOException {
    return HeadState.read(settings.state()).orElseThrow().pid();
  }

  private long guardOrZero() {
    try {
      return guard();
    } catch (IOException e) {
      return 0;
    }
  }

  private boolean isListening() {
    int port = Integer.parseInt(head.address().replaceFirst(".*:", ""));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static String commandOf(ProcessHandle process) {
    return process.info().command().orElse("");
  }
}
