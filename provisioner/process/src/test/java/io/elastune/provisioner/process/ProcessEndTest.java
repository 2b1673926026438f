package io.elastune.provisioner.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the end of processes that a program such as {@code sudo} gives to another user. */
@EnabledOnOs(OS.LINUX)
class ProcessEndTest {
  private static final String OTHER_USER = "65534";
  private static final String EMPTY_ENVIRONMENT = "env -i setsid ";

  @TempDir private Path folder;

  @Test
  void waitsUntilAllProcessesOfThisUserHaveEnded() throws Exception {
    Process process = new ProcessBuilder(HostTools.detached(List.of("sleep", "1000"))).start();

    assertThat(end(new OwnedProcesses("MARK", "none", Set.of(process.pid())))).isEmpty();
    assertThat(process.waitFor()).isEqualTo(137);
  }

  /** The program starts as another user, and has a process of root. */
  @Test
  void namesProcessesThatBelongToAnotherUser() throws Exception {
    Path sudo = folder.resolve("sudo");
    assumeTrue(
        "root".equals(System.getProperty("user.name")) && HostTools.find("setpriv").isPresent());
    Files.copy(Path.of(HostTools.find("setpriv").orElseThrow()).toRealPath(), sudo);
    Path top = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    for (Path path = folder; path.startsWith(top) && !path.equals(top); path = path.getParent()) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Process chmod = new ProcessBuilder("chmod", "4755", sudo.toString()).start();
    assertThat(chmod.waitFor()).isZero();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            "setpriv",
            "--reuid=" + OTHER_USER,
            "--regid=" + OTHER_USER,
            "--clear-groups",
            java,
            "-XX:TieredStopAtLevel=1",
            "-cp",
            copyOfClasses(),
            OtherUser.class.getName(),
            sudo.toString());
    Process user = new ProcessBuilder(command).directory(folder.toFile()).start();
    user.getErrorStream().transferTo(System.err);
    List<String> lines = new String(user.getInputStream().readAllBytes(), UTF_8).lines().toList();

    assertThat(user.waitFor()).isZero();
    assumeTrue(!lines.contains("null"), "skipped: the file system ignores the bit setuid");
    long pid = Long.parseLong(lines.get(0));
    try {
      assertThat(lines.subList(1, lines.size()))
          .containsExactly("process " + pid + " (sleep) of user root");
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Without group, environment and parents, the mark in their limits is left. */
  @Test
  void findsProcessesOfLeasesByTheirMark() throws Exception {
    String lease = "marked-" + ProcessHandle.current().pid() + "-1";
    Path file = folder.resolve("pid");
    ProcessBuilder builder = new ProcessBuilder();
    builder.environment().put("ELASTUNE_LEASE", lease);
    String sleep =
        "sh -c 'echo $$ >" + file + ".part; mv " + file + ".part " + file + "; exec sleep 1000' &";
    String killKeepers =
        "while ! [ -e "
            + file
            + " ]; do sleep .01; done; kill -9 $PPID $(sed 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/' /proc/$PPID/stat)";
    Keeper.start(
        builder,
        folder.resolve("status"),
        List.of("sh", "-c", EMPTY_ENVIRONMENT + sleep + killKeepers));
    assertThat(builder.start().waitFor()).isEqualTo(137);
    long pid = Long.parseLong(Files.readString(file).strip());

    assertThat(OwnedProcesses.left("none", List.of("other", lease)))
        .containsExactly("process " + pid + " (sleep) of user " + System.getProperty("user.name"));
    assertThat(OwnedProcesses.left("none", List.of("other"))).isEmpty();
    assertThat(new OwnedProcesses("ELASTUNE_ATTEMPT", lease, Set.of()).isAlive()).isFalse();
    assertThat(end(new OwnedProcesses("ELASTUNE_LEASE", lease, Set.of()))).isEmpty();
    assertThat(ProcessTable.read()).extracting(ProcessTable.Entry::pid).doesNotContain(pid);
  }

  private static List<String> end(OwnedProcesses family) throws InterruptedException {
    ProcessEnd end = new ProcessEnd();
    Optional<List<String>> left = end.remaining(family);
    while (left.isEmpty()) {
      end.kill(family);
      Thread.sleep(20);
      left = end.remaining(family);
    }
    return left.get();
  }

  /** Another user may not read the folders of this build. */
  private String copyOfClasses() throws IOException {
    List<String> copies = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path source = Path.of(entry).toAbsolutePath();
      Path copy = folder.resolve(copies.size() + "-" + source.getFileName());
      if (entry.matches(".*/(core|process)/.*|.*/elastune-[^/]*.jar") && Files.exists(source)) {
        try (Stream<Path> files = Files.walk(source)) {
          for (Path file : files.toList()) {
            Path target = copy.resolve(source.relativize(file).toString());
            Files.copy(file, file.equals(source) ? copy : target);
          }
        }
        copies.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  /** Starts a process of root, ends what it may, and prints the process and what is left. */
  static final class OtherUser {
    private OtherUser() {}

    public static void main(String[] arguments) throws Exception {
      String become = arguments[0] + " --reuid=0 --clear-groups ";
      String script = become + "sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & sleep 1000";
      Process process = new ProcessBuilder(HostTools.detached(List.of("sh", "-c", script))).start();
      System.out.println(process.inputReader().readLine());
      end(new OwnedProcesses("MARK", "none", Set.of(process.pid()))).forEach(System.out::println);
    }
  }
}
