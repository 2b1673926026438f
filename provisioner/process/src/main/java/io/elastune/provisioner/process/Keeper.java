package io.elastune.provisioner.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts commands below a keeper: a small process to which the kernel gives every descendant that
 * loses its parent. So a process can leave its session, its group and its environment, but it is
 * still found among the descendants of the keeper, which ends after the last of them. Needs Linux
 * with perl or python3. See docs/decisions.
 */
public final class Keeper {
  /** The variable of keepers only. */
  private static final String VARIABLE = "ELASTUNE_KEEPER";

  /** How soon the end of a command is noticed that has left processes. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /** The exit code has three digits. */
  private static final int MOST_BYTES = 16;

  /** The numbers of the system calls {@code prctl} and {@code prlimit} for each architecture. */
  private static final Map<String, List<String>> CALLS =
      Map.of(
          "amd64", List.of("157", "302"),
          "aarch64", List.of("167", "261"),
          "riscv64", List.of("167", "261"),
          "ppc64le", List.of("171", "325"),
          "s390x", List.of("172", "334"));

  private static final List<String> PROGRAM = find();

  private Keeper() {}

  /** Returns whether this machine can keep processes. */
  public static boolean isAvailable() {
    return !PROGRAM.isEmpty();
  }

  /**
   * Adds the command of a process in its own session, below a keeper where that is available. What
   * the environment has of lease and attempt also marks the limits of the process ({@link
   * LimitMark}).
   *
   * @param status the file for the exit code of the command, which it may write before its keeper
   *     ends. It has none if the keeper was killed
   */
  public static void start(ProcessBuilder builder, Path status, List<String> command) {
    if (!isAvailable()) {
      builder.command(HostTools.detached(command));
      return;
    }
    List<String> all = new ArrayList<>(PROGRAM);
    all.add(LimitMark.of(builder.environment()).orElse(""));
    all.add(status.toString());
    all.addAll(HostTools.detached(command)); // signals to it must not reach the keeper
    builder.command(HostTools.detached(all));
    builder.environment().put(VARIABLE, "1");
  }

  /**
   * Returns the exit code of a command, which may have left processes below its keeper.
   *
   * @param process the keeper, or the command without one
   */
  public static CompletableFuture<Integer> exit(EventLoop loop, Process process, Path status) {
    CompletableFuture<Integer> code = new CompletableFuture<>();
    var unused =
        process
            .onExit()
            .thenAccept(ended -> code.complete(read(status).orElseGet(ended::exitValue)));
    if (isAvailable()) {
      poll(loop, status, code);
    }
    return code;
  }

  private static void poll(EventLoop loop, Path status, CompletableFuture<Integer> code) {
    read(status).ifPresent(code::complete);
    if (!code.isDone()) {
      loop.schedule(POLL_INTERVAL, () -> poll(loop, status, code));
    }
  }

  /** The command may have put anything in the place of the file. */
  private static Optional<Integer> read(Path status) {
    if (!Files.isRegularFile(status, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (InputStream file = Files.newInputStream(status)) {
      String code = new String(file.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      return Optional.of(Integer.valueOf(code.strip()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether the keeper of a command has ended before the command: it was killed, so
   * processes may be left that nothing keeps.
   */
  public static boolean wasKilled(Path status) {
    return isAvailable() && !Files.exists(status) && !Files.exists(part(status));
  }

  /** The name of the file until it is complete; of one on a full disk, only this is there. */
  private static Path part(Path status) {
    return status.resolveSibling(status.getFileName() + ".part");
  }

  /** Returns whether a process that Elastune has started is a keeper. */
  static boolean isKeeper(long pid) {
    return ProcessTable.variable(pid, VARIABLE).isPresent();
  }

  private static List<String> find() {
    List<String> calls = CALLS.getOrDefault(System.getProperty("os.arch"), List.of());
    if (!ProcessTable.canReadEnvironments() || calls.isEmpty()) {
      return List.of();
    }
    Optional<List<String>> perl =
        HostTools.find("perl")
            .map(path -> List.of(path, "-e", source("keeper.pl"), calls.get(0), calls.get(1)));
    return perl.or(
            () ->
                HostTools.find("python3")
                    .map(path -> List.of(path, "-I", "-S", "-c", source("keeper.py"))))
        .orElse(List.of());
  }

  private static String source(String name) {
    try (InputStream source = Keeper.class.getResourceAsStream(name)) {
      if (source == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(source.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
